// The form of loops' conditions.
#pragma once

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

}  // namespace tune
