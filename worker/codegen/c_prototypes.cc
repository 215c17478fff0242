#include "worker/codegen/c_prototypes.h"

#include <map>
#include <string>

#include "absl/strings/strip.h"

namespace tune {
namespace {

using Types = std::vector<absl::string_view>;

const std::map<std::string, Types, std::less<>>& Prototypes() {
  static const auto& prototypes = *[] {
    auto* all = new std::map<std::string, Types, std::less<>>{
        {"abs", {"int"}}, {"labs", {"long"}}, {"llabs", {"long long"}}};
    // Those of floating-point numbers exist for double and, with an f, for float.
    const auto add = [&](std::initializer_list<const char*> names, size_t numbers, const Types& others = {}) {
      for (const char* name : names) {
        for (const char* type : {"double", "float"}) {
          Types types(numbers, type);
          types.insert(types.end(), others.begin(), others.end());
          all->emplace(type[0] == 'd' ? name : std::string(name) + "f", std::move(types));
        }
      }
    };
    add({"acos",  "asin",  "atan", "cos",    "sin",     "tan",    "acosh",    "asinh", "atanh", "cosh",
         "sinh",  "tanh",  "exp",  "exp2",   "expm1",   "log",    "log10",    "log2",  "log1p", "logb",
         "ilogb", "sqrt",  "cbrt", "erf",    "erfc",    "tgamma", "ceil",     "floor", "trunc", "round",
         "rint",  "lrint", "fabs", "lround", "llround", "llrint", "nearbyint"},
        1);
    add({"atan2", "pow", "hypot", "fmod", "remainder", "fmax", "fmin", "fdim", "copysign", "nextafter"}, 2);
    add({"fma"}, 3);
    add({"ldexp", "scalbn"}, 1, {"int"});
    add({"scalbln"}, 1, {"long"});
    return all;
  }();
  return prototypes;
}

}  // namespace

std::vector<absl::string_view> ParameterTypes(absl::string_view function) {
  const auto found = Prototypes().find(absl::StripPrefix(function, "__builtin_"));
  return found == Prototypes().end() ? Types() : found->second;
}

}  // namespace tune
