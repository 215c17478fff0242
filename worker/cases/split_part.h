// The part of a CUDA file with cases that splits sums, where their number of parts is known when it runs.
#pragma once

#include <string>

#include "worker/cases/parametric_kernel.h"
#include "worker/codegen/split_programs.h"

namespace tune {

// What they are, as comments, then the kernels.
std::string SplitKernels(const SplitPrograms& split);

// C++ of the host's part, behind that of borrowed memory: in how many parts sums are best split at the sizes
// of a call, and what launches them.
std::string SplitFunctions(const SplitPrograms& split, const ParametricRegion& region);

// C++ for LaunchAll, which returns where sums were split.
std::string SplitCall(const ParametricRegion& region);

}  // namespace tune
