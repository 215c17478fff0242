// The files of regions in which sizes are arguments.
#pragma once

#include "client/cli/generate_options.h"
#include "client/report/json.h"
#include "tune/v1/cases.pb.h"

namespace tune {

struct CaseFiles {
  v1::CaseDiscussions discussions;
  TunedOutput tuned;
};

// Reads the program, generates its regions with cases, and writes the files by the rules of safe_output.h.
// CANCELLED by Ctrl-C, before anything is written.
absl::StatusOr<CaseFiles> WriteCaseFiles(Session& session, GenerateOptions options);

// file, device_files and regions, as CaseDiscussionJson.
Json CaseFilesJson(const CaseFiles& files, const GenerateOptions& options);

}  // namespace tune
