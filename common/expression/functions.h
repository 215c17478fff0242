// The functions that expressions call.
#pragma once

#include <vector>

#include "common/expression/evaluation_limits.h"
#include "common/expression/expression_node.h"
#include "common/expression/value.h"

namespace tune {

// As many arguments as function_names.h says. INVALID_ARGUMENT where Python refuses them, where an integer
// does not fit into 64 bits, and where a list would be longer than allowed.
absl::StatusOr<Value> Call(Function function, const std::vector<Value>& arguments,
                           const EvaluationLimits& limits);

// What a loop over it sees: the values of a list, the characters of a string. INVALID_ARGUMENT for numbers.
absl::StatusOr<std::vector<Value>> ItemsOf(const Value& value);

// The item, or character, that Python's subscript picks: negative ones count from the end.
absl::StatusOr<Value> Subscript(const Value& of, const Value& which);

}  // namespace tune
