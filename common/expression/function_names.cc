#include "common/expression/function_names.h"

#include <algorithm>
#include <iterator>

namespace tune {
namespace {

constexpr FunctionName kFunctions[] = {
    {"abs", Function::kAbs, 1, 1, false},     {"all", Function::kAll, 1, 1, false},
    {"any", Function::kAny, 1, 1, false},     {"bool", Function::kBool, 1, 1, false},
    {"ceil", Function::kCeil, 1, 1, true},    {"float", Function::kFloat, 1, 1, false},
    {"floor", Function::kFloor, 1, 1, true},  {"int", Function::kInt, 1, 1, false},
    {"len", Function::kLen, 1, 1, false},     {"list", Function::kList, 1, 1, false},
    {"log2", Function::kLog2, 1, 1, true},    {"max", Function::kMax, 1, -1, false},
    {"min", Function::kMin, 1, -1, false},    {"pow", Function::kPow, 2, 2, false},
    {"range", Function::kRange, 1, 3, false}, {"round", Function::kRound, 1, 2, false},
    {"sqrt", Function::kSqrt, 1, 1, true},    {"str", Function::kStr, 1, 1, false},
    {"sum", Function::kSum, 1, 1, false}};

}  // namespace

const FunctionName* FindFunction(absl::string_view name) {
  const auto found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                  [&](const FunctionName& function) { return function.name == name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

const FunctionName& NameOf(Function function) {
  return *std::find_if(std::begin(kFunctions), std::end(kFunctions),
                       [&](const FunctionName& named) { return named.function == function; });
}

std::string FunctionNames(bool of_math) {
  std::string names;
  for (const FunctionName& function : kFunctions) {
    if (of_math && !function.is_of_math) continue;
    absl::StrAppend(&names, names.empty() ? "" : ", ", function.name);
  }
  return names;
}

}  // namespace tune
