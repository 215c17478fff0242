// The functions of the C library and of gcc that a scop may call, as C declares them: those whose result
// depends on their arguments alone and that change nothing.
#pragma once

#include <vector>

#include "absl/strings/string_view.h"

namespace tune {

// `name` as in the source, "__builtin_" prefix included. Functions of <math.h> and <complex.h> on float and
// double, those of <stdlib.h> on integers, and the compiler's own on the bits of integers.
bool IsPureFunction(absl::string_view name);

// How many arguments a pure function takes; 0 for others.
int ArgumentsOf(absl::string_view name);

// Types of a function's parameters; none for what takes any floating-point number ("__builtin_isnan"), and
// for other functions. C converts arguments to them. C++ has further functions of the same names, of other
// types, and chooses by the arguments: text that is C++ needs the conversions written out.
std::vector<absl::string_view> ParameterTypes(absl::string_view name);

// fmin, fminf: -1; fmax, fmaxf: 1; others 0.
int MinOrMaxFunction(absl::string_view name);

}  // namespace tune
