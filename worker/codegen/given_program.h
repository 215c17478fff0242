// A program from a person's hand, in place of the one that passes make.
#pragma once

#include <string>

#include "worker/codegen/mapped_plan.h"

namespace tune {

// What `-d program` printed, edited: its nodes, tiles' places and launches may be others; arrays, parameters
// of kernels and definitions may not. Whether it is right is for CheckMapped to tell, before anything is done
// with it. INVALID_ARGUMENT when the text is none or has others of these; errors of LowerMapped.
absl::StatusOr<DeviceProgram> TakeProgram(const std::string& text, const CudaPlan& plan,
                                          const CudaSpaceOptions& options, const MappedPlan& mapped,
                                          std::vector<DeviceArray> arrays);

}  // namespace tune
