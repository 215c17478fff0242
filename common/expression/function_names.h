// The functions that expressions may call.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/expression/expression_node.h"

namespace tune {

struct FunctionName {
  absl::string_view name;
  Function function;
  int least_arguments;
  int most_arguments;  // -1: any number
  bool is_of_math;     // also `math.NAME`
};

// nullptr where there is none.
const FunctionName* FindFunction(absl::string_view name);
// Never of one that is not in the table.
const FunctionName& NameOf(Function function);
// "abs, all, any, ...": those that are called by `math.` where `of_math`, else all.
std::string FunctionNames(bool of_math);

}  // namespace tune
