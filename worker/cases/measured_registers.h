// Registers of kernels with symbols, as the compiler of CUDA counts them.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "worker/cases/kernel_problem.h"

namespace tune {

// Of all variants of each of the region's kernels, compiled by nvcc for `architecture` ("sm_90"). NOT_FOUND
// without nvcc; FAILED_PRECONDITION with its words when it compiles nothing.
absl::StatusOr<std::vector<VariantRegisters>> MeasureRegisters(const ParametricRegion& region,
                                                               const std::string& architecture);

}  // namespace tune
