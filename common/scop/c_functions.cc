#include "common/scop/c_functions.h"

#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/strip.h"
#include "common/array/element_type.h"

namespace tune {
namespace {

using Types = std::vector<absl::string_view>;

// Macros of <math.h> for any floating-point number.
constexpr absl::string_view kClassifications[] = {
    "__builtin_isnan", "__builtin_isinf", "__builtin_isinf_sign", "__builtin_isfinite", "__builtin_signbit"};

bool IsClassification(absl::string_view name) {
  return std::count(std::begin(kClassifications), std::end(kClassifications), name) > 0;
}

absl::string_view Plain(absl::string_view name) { return absl::StripPrefix(name, "__builtin_"); }

// Not here: lgamma sets signgam; frexp, modf, remquo write through pointers; errno is not looked at.
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
    for (const char* name : {"cabs", "carg", "cexp"}) {
      all->emplace(name, Types{kComplexDoubleType});
      all->emplace(std::string(name) + "f", Types{kComplexFloatType});
    }
    add({"ldexp", "scalbn"}, 1, {"int"});
    add({"scalbln"}, 1, {"long"});
    return all;
  }();
  return prototypes;
}

// Functions of bits, which the compiler has under these names alone. Those that count zeros are undefined of
// zero, in C as in tuned code.
const std::map<std::string, Types, std::less<>>& BitFunctions() {
  static const auto& functions = *[] {
    auto* all = new std::map<std::string, Types, std::less<>>{{"__builtin_bswap16", {"unsigned short"}},
                                                              {"__builtin_bswap32", {"unsigned int"}},
                                                              {"__builtin_bswap64", {"unsigned long"}}};
    for (const std::string name : {"popcount", "parity", "clz", "ctz"}) {
      all->emplace("__builtin_" + name, Types{"unsigned int"});
      all->emplace("__builtin_" + name + "l", Types{"unsigned long"});
      all->emplace("__builtin_" + name + "ll", Types{"unsigned long long"});
    }
    return all;
  }();
  return functions;
}

}  // namespace

bool IsPureFunction(absl::string_view name) { return ArgumentsOf(name) > 0; }

int ArgumentsOf(absl::string_view name) {
  return IsClassification(name) ? 1 : static_cast<int>(ParameterTypes(name).size());
}

std::vector<absl::string_view> ParameterTypes(absl::string_view name) {
  if (const auto bits = BitFunctions().find(name); bits != BitFunctions().end()) return bits->second;
  const auto found = Prototypes().find(Plain(name));
  return found == Prototypes().end() ? Types() : found->second;
}

int MinOrMaxFunction(absl::string_view name) {
  name = Plain(name);
  if (name == "fmin" || name == "fminf") return -1;
  if (name == "fmax" || name == "fmaxf") return 1;
  return 0;
}

}  // namespace tune
