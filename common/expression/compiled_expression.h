// Expressions that are evaluated often.
#pragma once

#include <map>
#include <string>

#include "absl/types/span.h"
#include "common/expression/evaluation_limits.h"
#include "common/expression/expression.h"

namespace tune {

// An expression whose names are indices. Immutable; several threads may evaluate it.
class CompiledExpression {
 public:
  // INVALID_ARGUMENT, with the column and the names that there are, where the expression uses another.
  static absl::StatusOr<CompiledExpression> Compile(const Expression& expression,
                                                    absl::Span<const std::string> names,
                                                    const EvaluationLimits& limits = {});

  const ExpressionNode& root() const { return root_; }

  // `slots`: values of `names`, in their order. INVALID_ARGUMENT with the column where there is no value.
  absl::StatusOr<Value> Evaluate(absl::Span<const Value> slots) const;
  // Whether the value is true in Python's sense. Whole numbers take a few nanoseconds for each operator and
  // no memory.
  absl::StatusOr<bool> Holds(absl::Span<const Value> slots) const;

 private:
  CompiledExpression(ExpressionNode root, const EvaluationLimits& limits)
      : root_(std::move(root)), limits_(limits) {}

  ExpressionNode root_;
  EvaluationLimits limits_;
};

// The value of an expression that is needed once. INVALID_ARGUMENT as above.
absl::StatusOr<Value> Evaluate(const Expression& expression, const std::map<std::string, Value>& names,
                               const EvaluationLimits& limits = {});

}  // namespace tune
