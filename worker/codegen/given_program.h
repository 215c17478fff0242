// A program from a person's hand, in place of the one that passes make.
#pragma once

#include <string>

#include "worker/codegen/mapped_plan.h"

namespace tune {

// What `-d program` printed, edited: its nodes, tiles' places and launches may be others, as long as the
// program is right (worker/check/program_check.h); arrays, parameters of kernels and definitions may not.
// INVALID_ARGUMENT when the text is none or has others of these, FAILED_PRECONDITION when the program would
// be wrong, RESOURCE_EXHAUSTED when that is too hard to tell; errors of LowerMapped.
absl::StatusOr<DeviceProgram> TakeProgram(const std::string& text, const CudaPlan& plan,
                                          const CudaSpaceOptions& options, const MappedPlan& mapped,
                                          std::vector<DeviceArray> arrays);

}  // namespace tune
