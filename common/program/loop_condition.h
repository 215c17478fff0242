// The form of loops' conditions.
#pragma once

#include <optional>

#include "common/program/program_node.h"

namespace tune {

// `iterator < bound` or `iterator <= bound`, as OpenMP demands.
inline bool IsCanonical(const Loop& loop) {
  using Op = IndexExpression::Op;
  return (loop.condition.op == Op::kLess || loop.condition.op == Op::kLessEqual) &&
         loop.condition.operands[0].IsName(loop.iterator);
}

// Whether bounds are numbers.
inline bool HasConstantBounds(const Loop& loop) {
  return loop.first.IsConstant() && loop.condition.operands.size() == 2 &&
         loop.condition.operands[1].IsConstant();
}

// The last iteration that the condition allows, of loops of step 1; none: it is no number.
inline std::optional<int64_t> LastIteration(const Loop& loop) {
  if (!IsCanonical(loop)) return {};
  const IndexExpression bound = Folded(loop.condition.operands[1]);
  if (!bound.IsConstant()) return {};
  return loop.condition.op == IndexExpression::Op::kLess ? bound.value - 1 : bound.value;
}

// Of a loop of step 1 whose bounds are numbers; none: it is another.
inline std::optional<int64_t> FixedIterations(const Loop& loop) {
  const std::optional<int64_t> last = LastIteration(loop);
  if (!last || !loop.first.IsConstant() || loop.step != IndexExpression::Constant(1)) return {};
  return *last - loop.first.value + 1;
}

}  // namespace tune
