// What a kernel is told: its arrays, the values of host loops, and how its blocks lie in the grid.
#pragma once

#include <vector>

#include "common/program/device_program.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// A kernel of that name with arrays, sizes, threads, axes and host_depth, for launches of its own, without
// tiles and text. INVALID_ARGUMENT when a launch would have more than 2^31 - 1 blocks. To be called inside
// IslContext::Run; throws isl::exception.
absl::StatusOr<DeviceKernel> LowerKernelParameters(const MappedKernel& kernel, const ParsedScop& scop,
                                                   const std::vector<DeviceArray>& arrays,
                                                   const std::string& function);

}  // namespace tune
