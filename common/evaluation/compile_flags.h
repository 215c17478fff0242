// What compilers are told beside what to compile.
#pragma once

#include <string>
#include <vector>

#include "tune/v1/program.pb.h"

namespace tune {

// For NVRTC and nvcc, of exact studies (Rounding): no fused multiply-add.
inline constexpr char kExactCudaFlag[] = "-fmad=false";

// The program's flags for the host compiler, or the default -O3 -march=native.
std::vector<std::string> CompileFlags(const v1::Program& program);

// Puts further flags behind those that CompileFlags tells.
void AddCompileFlags(const std::vector<std::string>& further, v1::Program* program);

}  // namespace tune
