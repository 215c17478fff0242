// What the user gets of hand-written kernels in CUDA.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/kernel_definition/launch.h"
#include "tune/v1/program.pb.h"

namespace tune {

// A file for nvcc: `comment`, the macros of the configuration, `source` (the file with the kernels), and a
// host function that launches them as they were measured:
//   cudaError_t tuned_NAME(cudaStream_t stream, ARGUMENTS...)
// NAME is the first kernel's. Its arguments are the definition's, in their order: numbers by value, of those
// that follow from tuning parameters none; arrays as device pointers, textures as objects, and of symbols
// pointers to what they are given. Grids are those of the definition's sizes. With a `tag`, "n500", the names
// of kernels and function end in _n500, so that files of several sizes can be linked, where the other
// functions of the source are static, inline or templates. INVALID_ARGUMENT as ArgumentsOf.
absl::StatusOr<std::string> PrintTunedKernelFile(const v1::KernelDefinition& definition,
                                                 const EvaluatedConfiguration& configuration,
                                                 absl::string_view source, absl::string_view comment,
                                                 absl::string_view tag = "");

// What nvcc is to be told beside the architecture, a word each.
std::vector<std::string> TunedKernelFlags(const v1::KernelDefinition& definition, const v1::Program& program);

// The function's declaration, without a semicolon.
std::string TunedKernelDeclaration(const v1::KernelDefinition& definition, absl::string_view tag = "");

// An argument of the function: "const float *x", and "x".
struct TunedKernelParameter {
  std::string declaration, name;
};

// Those of the function after the stream.
std::vector<TunedKernelParameter> TunedKernelParameters(const v1::KernelDefinition& definition);

// "tuned_rows", "tuned_rows_n500" of blur::rows.
std::string TunedKernelFunction(const v1::KernelDefinition& definition, absl::string_view tag = "");

}  // namespace tune
