// The part of a CUDA file with cases that runs where it can: kernels that were mapped for sizes of a grid,
// which are told the sizes of the call.
#pragma once

#include <string>
#include <vector>

#include "worker/cases/parametric_kernel.h"
#include "worker/codegen/symbolic_program.h"

namespace tune {

// What they are and when they can run, as comments, then the kernels. Functions that kernels share are in a
// namespace for each program.
std::string SymbolicKernels(const SymbolicPrograms& programs);

// C++ of the host's part. For each program: whether it is for sizes and machine, and a function that launches
// its kernels. Which of them are the best at the sizes of a call.
std::string SymbolicFunctions(const SymbolicPrograms& programs, const ParametricRegion& region);

// C++ for the beginning of LaunchAll: the best program that is for the call runs instead of the cases.
std::string SymbolicCalls(const SymbolicPrograms& programs, const ParametricRegion& region);

}  // namespace tune
