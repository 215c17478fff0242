// Operators on values, as in Python.
#pragma once

#include "common/expression/evaluation_limits.h"
#include "common/expression/expression_node.h"
#include "common/expression/value.h"

namespace tune {

// INVALID_ARGUMENT where Python refuses the operands, where it divides by zero, where an integer does not fit
// into 64 bits, and where a list or a string would be longer than allowed.
absl::StatusOr<Value> Apply(BinaryOperator op, const Value& a, const Value& b,
                            const EvaluationLimits& limits);
absl::StatusOr<Value> Apply(UnaryOperator op, const Value& operand);

}  // namespace tune
