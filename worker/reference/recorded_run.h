// A run whose outputs are kept.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "worker/reference/reference_data.h"

namespace tune {

struct RecordedRun {
  std::vector<v1::RunnerArray> arrays;  // what is expected of them is not looked at
  std::string folder;                   // for NAME.bin of each that is not read only
  bool only_record = false;             // nothing is measured
};

// What computes outputs, built once: the verdict is the outcome's first. Errors as Runner::Run.
using RecordedProgram = std::function<absl::StatusOr<RunOutcome>(const RecordedRun& run)>;

// A shared object for tune-runner. `threads` as RunRequest has it; the tools outlive the result.
RecordedProgram OnHost(const std::string& library, const v1::Limits& limits, const ReferenceTools& tools,
                       int threads);

}  // namespace tune
