// Functions of the C library whose result depends on their arguments alone and that change nothing.
#pragma once

#include "absl/strings/string_view.h"

namespace tune {

// `name` as in the source, "__builtin_" prefix included. Functions of <math.h> on float and double, those of
// <stdlib.h> on integers.
bool IsPureFunction(absl::string_view name);

// fmin, fminf: -1; fmax, fmaxf: 1; others 0.
int MinOrMaxFunction(absl::string_view name);

}  // namespace tune
