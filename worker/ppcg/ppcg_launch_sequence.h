// Prints PPCG's launches as our launch sequence.
#pragma once

#include <string>
#include <vector>

#include "worker/lower/device_arrays.h"
#include "worker/ppcg/ppcg_output.h"

namespace tune {

// CudaProgram::launches. Kernels have the numbers of output.kernels. INVALID_ARGUMENT for a launch that CUDA
// does not allow; INTERNAL for an argument that is neither an array, nor a scalar, nor a value of the host's
// loops.
absl::StatusOr<std::string> PrintPpcgLaunchSequence(const PpcgOutput& output,
                                                    const std::vector<DeviceArray>& arrays);

}  // namespace tune
