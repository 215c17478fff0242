// How many threads a kernel's mapped members make.
#pragma once

#include "common/space/cuda_space.h"

namespace tune {

// A device is full with this many threads that run a whole loop each.
constexpr double kEnoughInstances = 65536;

// All combinations of values of the members of the plan's axes, those of a reduction left out; an unknown
// number of values counts as enough.
inline double MappedInstances(const Kernel& kernel, const CudaKernelPlan& plan) {
  double instances = 1;
  for (const CudaAxis& axis : plan.axes) {
    const int64_t trip_count = kernel.bands[0].trip_counts[axis.member];
    if (axis.reduction) continue;
    instances *= trip_count < 0 ? kEnoughInstances : static_cast<double>(trip_count);
  }
  return instances;
}

}  // namespace tune
