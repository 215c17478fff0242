#include "client/extract/pure_functions.h"

#include <set>
#include <string>

#include "absl/strings/strip.h"

namespace tune {
namespace {

// Not here: lgamma sets signgam; frexp, modf, remquo write through pointers; errno is not looked at.
const std::set<std::string>& Names() {
  static const auto& names = *[] {
    auto* all = new std::set<std::string>{"abs",
                                          "labs",
                                          "llabs",
                                          "__builtin_isnan",
                                          "__builtin_isinf",
                                          "__builtin_isinf_sign",
                                          "__builtin_isfinite",
                                          "__builtin_signbit"};
    for (const char* name :
         {"acos",  "asin",     "atan",      "atan2", "cos",       "sin",    "tan",    "acosh",   "asinh",
          "atanh", "cosh",     "sinh",      "tanh",  "exp",       "exp2",   "expm1",  "log",     "log10",
          "log2",  "log1p",    "logb",      "ilogb", "pow",       "sqrt",   "cbrt",   "hypot",   "erf",
          "erfc",  "tgamma",   "ceil",      "floor", "trunc",     "round",  "lround", "llround", "rint",
          "lrint", "llrint",   "nearbyint", "fmod",  "remainder", "fabs",   "fmax",   "fmin",    "fdim",
          "fma",   "copysign", "nextafter", "ldexp", "scalbn",    "scalbln"}) {
      all->insert(name);
      all->insert(std::string(name) + "f");
    }
    return all;
  }();
  return names;
}

absl::string_view Plain(absl::string_view name) { return absl::StripPrefix(name, "__builtin_"); }

}  // namespace

bool IsPureFunction(absl::string_view name) {
  return Names().count(std::string(name)) > 0 || Names().count(std::string(Plain(name))) > 0;
}

int MinOrMaxFunction(absl::string_view name) {
  name = Plain(name);
  if (name == "fmin" || name == "fminf") return -1;
  if (name == "fmax" || name == "fmaxf") return 1;
  return 0;
}

}  // namespace tune
