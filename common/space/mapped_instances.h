// How many threads a kernel's mapped members make.
#pragma once

#include <cmath>

#include "common/space/cuda_space.h"

namespace tune {

// The device is full with this many threads that run a whole loop each: a quarter of those that it holds, as
// the nearest power of two (65536 on an H200).
inline double EnoughInstances(const DeviceFacts& device) {
  return std::exp2(std::round(std::log2(device.Threads() / 4)));
}

// All combinations of values of the members of the plan's axes, those of a reduction left out; an unknown
// number of values counts as enough.
inline double MappedInstances(const Kernel& kernel, const CudaKernelPlan& plan, const DeviceFacts& device) {
  double instances = 1;
  for (const CudaAxis& axis : plan.axes) {
    const int64_t trip_count = kernel.bands[0].trip_counts[axis.member];
    if (axis.reduction) continue;
    instances *= trip_count < 0 ? EnoughInstances(device) : static_cast<double>(trip_count);
  }
  return instances;
}

}  // namespace tune
