// Functions of the C library as C declares them.
#pragma once

#include <vector>

#include "absl/strings/string_view.h"

namespace tune {

// Types of the parameters of a function that a scop may call (client/extract/pure_functions.h), "__builtin_"
// prefix included; none for what takes any floating-point number ("__builtin_isnan"), and for other
// functions. C converts arguments to them. C++ has further functions of the same names, of other types, and
// chooses by the arguments: text that is C++ needs the conversions written out.
std::vector<absl::string_view> ParameterTypes(absl::string_view function);

}  // namespace tune
