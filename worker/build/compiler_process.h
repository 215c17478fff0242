// One run of a compiler.
#pragma once

#include <string>
#include <vector>

#include "worker/build/compiler.h"

namespace tune {

// Runs the command in `folder`, where temporary files go too; CompileResult::binary is left to the caller. An
// error status only when the program could not be started.
absl::StatusOr<CompileResult> RunCompiler(const std::vector<std::string>& command, const std::string& folder,
                                          const CompileLimits& limits);

// The command line as a person would type it: absolute paths become file names.
std::string ShortCommand(const std::vector<std::string>& command);

// The first line that tells an error, without the folder before the file's name; else the first line.
std::string FirstError(absl::string_view log);

}  // namespace tune
