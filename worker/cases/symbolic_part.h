// The part of a CUDA file with cases that runs where sizes are large enough: kernels that were mapped for
// typical sizes, which are told the sizes of the call.
#pragma once

#include <string>
#include <vector>

#include "worker/cases/parametric_kernel.h"
#include "worker/codegen/symbolic_program.h"

namespace tune {

// What they are and when they run, as comments, then the kernels. Functions that kernels share are in a
// namespace for each program.
std::string SymbolicKernels(const std::vector<SymbolicProgram>& programs);

// C++ of the host's part. For each program: whether it is for sizes and machine, and a function that launches
// its kernels.
std::string SymbolicFunctions(const std::vector<SymbolicProgram>& programs, const ParametricRegion& region);

// C++ for the beginning of LaunchAll: the first program that is for the call runs instead of the cases.
std::string SymbolicCalls(const std::vector<SymbolicProgram>& programs, const ParametricRegion& region);

}  // namespace tune
