#include "common/parameters/value_range.h"

#include <algorithm>

#include "common/expression/whole_arithmetic.h"

namespace tune {
namespace {

// The results at the four corners, which the others are between.
std::optional<ValueRange> RangeOfCorners(BinaryOperator op, const ValueRange& a, const ValueRange& b) {
  int64_t corners[4];
  const bool fits =
      ApplyWhole(op, a.least, b.least, &corners[0]) && ApplyWhole(op, a.least, b.most, &corners[1]) &&
      ApplyWhole(op, a.most, b.least, &corners[2]) && ApplyWhole(op, a.most, b.most, &corners[3]);
  if (!fits) return std::nullopt;
  const auto [least, most] = std::minmax_element(std::begin(corners), std::end(corners));
  return ValueRange{*least, *most};
}

}  // namespace

std::optional<ValueRange> RangeOf(BinaryOperator op, const ValueRange& a, const ValueRange& b) {
  switch (op) {
    case BinaryOperator::kAdd:
    case BinaryOperator::kSubtract:
    case BinaryOperator::kMultiply:
      return RangeOfCorners(op, a, b);
    case BinaryOperator::kFloorDivide:
      return b.least > 0 ? RangeOfCorners(op, a, b) : std::nullopt;
    case BinaryOperator::kModulo:
      if (b.least <= 0) return std::nullopt;
      if (a.least >= 0 && a.most < b.least) return a;
      return ValueRange{0, b.most - 1};
    case BinaryOperator::kShiftLeft:
    case BinaryOperator::kShiftRight:
      return b.least >= 0 ? RangeOfCorners(op, a, b) : std::nullopt;
    case BinaryOperator::kPower:  // 0 ** 0 is more than 0 ** 1
      return b.least >= 0 && a.least >= (b.least > 0 ? 0 : 1) ? RangeOfCorners(op, a, b) : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<bool> CompareRanges(Comparison comparison, const ValueRange& a, const ValueRange& b) {
  const auto decide = [](bool always, bool never) -> std::optional<bool> {
    if (always) return true;
    return never ? std::optional<bool>(false) : std::nullopt;
  };
  const bool apart = a.most < b.least || b.most < a.least;
  const bool one = a.least == a.most && b.least == b.most && a.least == b.least;
  switch (comparison) {
    case Comparison::kEqual:
      return decide(one, apart);
    case Comparison::kNotEqual:
      return decide(apart, one);
    case Comparison::kLess:
      return decide(a.most < b.least, a.least >= b.most);
    case Comparison::kLessOrEqual:
      return decide(a.most <= b.least, a.least > b.most);
    case Comparison::kGreater:
      return decide(a.least > b.most, a.most <= b.least);
    case Comparison::kGreaterOrEqual:
      return decide(a.least >= b.most, a.most < b.least);
    default:
      return std::nullopt;
  }
}

}  // namespace tune
