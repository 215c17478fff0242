// What a configuration of hand-written kernels is built with, and how it is launched.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "common/kernel_definition/definition_names.h"

namespace tune {

// No device takes more.
inline constexpr int64_t kMostBlockThreads = 1024;
inline constexpr int64_t kMostBlockDepth = 64;  // threads in z
inline constexpr int64_t kMostGridWidth = (int64_t{1} << 31) - 1;
inline constexpr int64_t kMostGridHeight = 65535;  // blocks in y, in z
inline constexpr int64_t kMostSharedBytes = int64_t{1} << 20;
inline constexpr int64_t kMostTimes = 1'000'000;

struct EvaluatedLaunch {
  std::string kernel;                    // name in the definition
  std::array<int64_t, 3> grid{1, 1, 1};  // blocks
  std::array<int64_t, 3> block{1, 1, 1};
  int64_t shared_bytes = 0;  // dynamic, those of LOCAL arguments included
  int64_t times = 1;
  bool on_gpu = true;  // a C function has neither grid nor block
};

struct EvaluatedKernel {
  std::string name;        // in the definition
  std::string expression;  // of the function: "convolve<32, float>", or the name where there is no template
};

struct EvaluatedConfiguration {
  std::vector<std::string> macros;       // "NAME=VALUE", for -D
  std::vector<EvaluatedKernel> kernels;  // in the definition's order
  std::vector<EvaluatedLaunch> launches;
  NamedValues scalars;         // of SCALAR arguments
  int graphics_clock_mhz = 0;  // kGraphicsClock; 0: as the driver has it
};

// The parameters that become macros of their names: those that no template argument uses, and no macro of
// the definition is called, without the clock.
std::vector<int> MacroParameters(const v1::KernelDefinition& definition);

// `configuration`: a value of each parameter, in their order. INVALID_ARGUMENT, which names kernel and field,
// where something has no value or one that no device takes.
absl::StatusOr<EvaluatedConfiguration> EvaluateLaunch(const v1::KernelDefinition& definition,
                                                      absl::Span<const Value> configuration);

// One launch of a kernel, without LOCAL arguments: also of a reference's plain one, with the problem's names.
absl::StatusOr<EvaluatedLaunch> EvaluateKernel(const v1::KernelDefinition& definition,
                                               const v1::KernelFunction& kernel, const NamedValues& names);

// As C++ writes the function: EvaluatedKernel::expression. Errors as above.
absl::StatusOr<std::string> KernelExpression(const v1::KernelFunction& kernel, const NamedValues& names);

}  // namespace tune
