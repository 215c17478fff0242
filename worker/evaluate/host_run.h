// Runs of candidates on the host, whatever they were made of.
#pragma once

#include <vector>

#include "tune/v1/worker_service.pb.h"
#include "worker/evaluate/evaluation_target.h"

namespace tune {

// Checks and measures them on these arrays under the study's limits and tolerance. `threads`: hardware
// threads that they may use. Errors as Runner::Run.
absl::StatusOr<RunOutcome> RunOnHost(const v1::StudySetup& setup, const std::vector<v1::RunnerArray>& arrays,
                                     const std::vector<BuiltCandidate>& candidates, const RunLimits& limits,
                                     int threads, Runner* runner);

}  // namespace tune
