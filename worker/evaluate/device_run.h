// A run of candidates on a GPU, with the limits of their study.
#pragma once

#include <vector>

#include "tune/v1/worker_service.pb.h"
#include "worker/evaluate/evaluation_target.h"
#include "worker/reference/reference_data.h"
#include "worker/run/device_pool.h"

namespace tune {

// Checks and measures them as EvaluationTarget::Run does. `arrays`: RunnerArrays of the reference.
absl::StatusOr<RunOutcome> RunOnDevice(const v1::StudySetup& setup, const ReferenceData& reference,
                                       const std::vector<v1::RunnerArray>& arrays,
                                       const std::vector<BuiltCandidate>& candidates, const RunLimits& limits,
                                       DevicePool* devices);

}  // namespace tune
