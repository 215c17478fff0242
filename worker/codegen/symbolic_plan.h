// Decisions for all sizes: the schedule and its kernels know no value of a parameter, but between which
// bounds it lies; what is chosen is what is best at typical values.
#pragma once

#include <cstdint>
#include <memory>

#include "common/space/cuda_space.h"

namespace tune {

struct SymbolicPlan {
  std::unique_ptr<ScheduleSpace> schedules;
  CudaPlan plan;  // of `schedules`
};

// The default decisions of the user's scop for parameters that are large (WithLargeParameters) and at most
// `most`, where each is about `typical`. Each kernel has launches of its own: how many blocks these have is
// known when they run. INVALID_ARGUMENT when the parameters cannot be so; other errors as
// ScheduleSpace::Walk.
absl::StatusOr<SymbolicPlan> MakeSymbolicPlan(const v1::Scop& scop, const CudaSpaceOptions& options,
                                              int64_t typical, int64_t most);

}  // namespace tune
