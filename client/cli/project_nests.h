// The loops of all files of a project.
#pragma once

#include "client/cli/nest_listing.h"
#include "client/cli/program_options.h"
#include "client/cli/session.h"

namespace tune {

// Reads every C and C++ file of options.project(), several at a time, and prints what is found; what the
// front end says of a file that cannot be read stands behind it, and does not stop the others. kExitFailed
// where no file could be read. Errors are those of CompilationDatabase::Read.
absl::StatusOr<int> ListProject(Session& session, const ProgramOptions& options, const NestFigures& figures);

}  // namespace tune
