// --captured: studies of what applications met while they ran.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "client/cli/submission.h"

namespace tune {

// --captured, --most; of a verb that has StudyOptions.
class CapturedOptions {
 public:
  void AddTo(CLI::App& verb);
  // What --captured named; empty: it was not given.
  const std::string& file() const { return file_; }
  int most() const { return most_; }

 private:
  std::string file_;
  int most_ = 8;
};

// PrepareStudies, or with --captured a spec of each size that the file has of the program's regions, at most
// --most. Tells on standard error what was left out. INVALID_ARGUMENT when nothing is left.
absl::StatusOr<std::vector<v1::StudySpec>> PrepareStudies(Session& session, const ProgramOptions& program,
                                                          const StudyOptions& options,
                                                          const KernelOptions& kernel,
                                                          const CapturedOptions& captured);

// For the help of these verbs.
inline constexpr char kCapturedHelp[] =
    "What TUNE_CAPTURE_FILE names is written by programs that `tunectl online` or `generate --online` made, "
    "and by others\nthat use libtune; --captured takes the inputs of FILE's regions from it. What else it "
    "holds "
    "is told, and left out.\n";

}  // namespace tune
