#include "common/expression/compiled_expression.h"

#include <utility>
#include <vector>

#include "common/expression/evaluator.h"
#include "common/expression/name_resolution.h"

namespace tune {

absl::StatusOr<CompiledExpression> CompiledExpression::Compile(const Expression& expression,
                                                               absl::Span<const std::string> names,
                                                               const EvaluationLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(ExpressionNode root, ResolveNames(expression.root(), names));
  return CompiledExpression(std::move(root), limits);
}

absl::StatusOr<Value> CompiledExpression::Evaluate(absl::Span<const Value> slots) const {
  return EvaluateNode(root_, slots, limits_);
}

absl::StatusOr<bool> CompiledExpression::Holds(absl::Span<const Value> slots) const {
  int64_t whole = 0;
  if (EvaluateWhole(root_, slots, &whole)) return whole != 0;
  TUNE_ASSIGN_OR_RETURN(const Value value, Evaluate(slots));
  return value.IsTrue();
}

absl::StatusOr<Value> Evaluate(const Expression& expression, const std::map<std::string, Value>& names,
                               const EvaluationLimits& limits) {
  std::vector<std::string> known;
  std::vector<Value> slots;
  for (const auto& [name, value] : names) {
    known.push_back(name);
    slots.push_back(value);
  }
  TUNE_ASSIGN_OR_RETURN(const CompiledExpression compiled,
                        CompiledExpression::Compile(expression, known, limits));
  return compiled.Evaluate(slots);
}

}  // namespace tune
