#include "common/program/known_factor.h"

#include <cstdlib>
#include <numeric>

namespace tune {
namespace {

using Op = IndexExpression::Op;

// Larger factors say no more, and products of them stay small.
constexpr int64_t kMostFactor = 1 << 20;

int64_t Bounded(int64_t factor) { return std::gcd(factor, kMostFactor); }

// Of those operands from number `first` on.
int64_t CommonFactor(const std::vector<IndexExpression>& operands, size_t first) {
  int64_t factor = 0;
  for (size_t i = first; i < operands.size(); ++i) factor = std::gcd(factor, KnownFactor(operands[i]));
  return factor;
}

int64_t ProductFactor(const std::vector<IndexExpression>& operands) {
  int64_t factor = 1;
  for (const IndexExpression& operand : operands) factor = Bounded(factor * Bounded(KnownFactor(operand)));
  return factor;
}

// Of quotients that leave nothing over.
int64_t QuotientFactor(const std::vector<IndexExpression>& operands) {
  if (operands.size() != 2 || !operands[1].IsConstant() || operands[1].value == 0) return 1;
  const int64_t factor = KnownFactor(operands[0]);
  return factor % operands[1].value == 0 ? std::abs(factor / operands[1].value) : 1;
}

}  // namespace

int64_t KnownFactor(const IndexExpression& expression) {
  const std::vector<IndexExpression>& operands = expression.operands;
  switch (expression.op) {
    case Op::kConstant:
      return std::abs(expression.value);
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kRemainder:
    case Op::kNegate:
    case Op::kMinimum:
    case Op::kMaximum:
    case Op::kToIndex:
      return CommonFactor(operands, 0);
    case Op::kSelect:
      return CommonFactor(operands, 1);
    case Op::kMultiply:
      return ProductFactor(operands);
    case Op::kQuotient:
    case Op::kFloor:
      return QuotientFactor(operands);
    default:
      return 1;
  }
}

}  // namespace tune
