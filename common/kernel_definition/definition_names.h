// Which names the expressions of a definition may use, and what they are worth (kernel.proto).
#pragma once

#include <map>
#include <string>

#include "absl/types/span.h"
#include "common/expression/expression.h"
#include "tune/v1/device.pb.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

using NamedValues = std::map<std::string, Value>;

inline constexpr char kProblemSize[] = "problem_size";  // in expressions: the list of all sizes
// A tuning parameter of this name, as Kernel Tuner calls it, is the clock in MHz at which the device's
// multiprocessors run a configuration, and no macro.
inline constexpr char kGraphicsClock[] = "nvml_gr_clock";
inline constexpr int64_t kMostProblemSize = int64_t{1} << 40;

// A C identifier that no word or function of expressions is.
bool IsDefinitionName(absl::string_view name);

// The sizes of the problem: `problem_size` where there are any, and those with names. INVALID_ARGUMENT, which
// names the size, where one has no value, or none from 1 to kMostProblemSize.
absl::StatusOr<NamedValues> ProblemNames(const v1::KernelDefinition& definition);

// Names "of the study": the sizes, and of each parameter the list of its values.
NamedValues StudyNames(const v1::KernelDefinition& definition, const NamedValues& problem);

// Names "of a configuration": the sizes, and a value for each parameter, in their order. Precondition: as
// many as there are.
NamedValues ConfigurationNames(const v1::KernelDefinition& definition, const NamedValues& problem,
                               absl::Span<const Value> configuration);

// INVALID_ARGUMENT with the text and the column: `"n +": column 4: ...`.
absl::StatusOr<Value> EvaluateText(absl::string_view text, const NamedValues& names);
// The same; also where the value is no whole number from `least` to `most`. 4.0 is one.
absl::StatusOr<int64_t> EvaluateWholeText(absl::string_view text, const NamedValues& names, int64_t least,
                                          int64_t most);

// What kernels of this language run on.
v1::Target TargetOf(const v1::KernelDefinition& definition);

}  // namespace tune
