#include "common/program/index_range.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tune {
namespace {

using Op = IndexExpression::Op;

// Nothing where it may be too far from 0.
std::optional<IndexRange> Checked(int64_t least, int64_t most) {
  if (least < -kFurthestIndex || most > kFurthestIndex) return std::nullopt;
  return IndexRange{least, most};
}

std::optional<IndexRange> ProductRange(const IndexRange& left, const IndexRange& right) {
  const auto [least, most] = std::minmax(
      {left.least * right.least, left.least * right.most, left.most * right.least, left.most * right.most});
  return Checked(least, most);
}

// Of a quotient, whichever way it is rounded, or a remainder.
std::optional<IndexRange> Division(Op op, const IndexRange& left, const IndexRange& right) {
  if (right.least < 1) return std::nullopt;
  if (op == Op::kRemainder) {
    const int64_t largest = right.most - 1;
    return IndexRange{left.least < 0 ? std::max(left.least, -largest) : 0,
                      left.most > 0 ? std::min(left.most, largest) : 0};
  }
  int64_t least = left.least / (left.least < 0 ? right.least : right.most);
  if (op == Op::kFloor && left.least < 0 && left.least % right.least != 0) --least;
  return Checked(least, left.most / (left.most < 0 ? right.most : right.least));
}

std::optional<IndexRange> OfTwo(Op op, const IndexRange& left, const IndexRange& right) {
  switch (op) {
    case Op::kAdd:
      return Checked(left.least + right.least, left.most + right.most);
    case Op::kSubtract:
      return Checked(left.least - right.most, left.most - right.least);
    case Op::kMultiply:
      return ProductRange(left, right);
    case Op::kQuotient:
    case Op::kRemainder:
    case Op::kFloor:
      return Division(op, left, right);
    case Op::kMinimum:
      return IndexRange{std::min(left.least, right.least), std::min(left.most, right.most)};
    case Op::kMaximum:
      return IndexRange{std::max(left.least, right.least), std::max(left.most, right.most)};
    default:  // comparisons, and, or
      return IndexRange{0, 1};
  }
}

// Of the expression; nothing where some part of it may be too far from 0.
std::optional<IndexRange> RangeOf(const IndexExpression& expression, const IndexRanges& ranges) {
  if (expression.op == Op::kConstant) return Checked(expression.value, expression.value);
  if (expression.op == Op::kName) {
    const auto found = ranges.find(expression.name);
    return found == ranges.end() ? std::nullopt : Checked(found->second.least, found->second.most);
  }
  std::vector<IndexRange> operands;
  for (const IndexExpression& operand : expression.operands) {
    const std::optional<IndexRange> range = RangeOf(operand, ranges);
    if (!range) return std::nullopt;
    operands.push_back(*range);
  }
  switch (expression.op) {
    case Op::kSelect:
      return IndexRange{std::min(operands[1].least, operands[2].least),
                        std::max(operands[1].most, operands[2].most)};
    case Op::kNegate:
      return IndexRange{-operands[0].most, -operands[0].least};
    case Op::kNot:
      return IndexRange{0, 1};
    case Op::kToIndex:
      return operands[0];
    default:
      break;
  }
  std::optional<IndexRange> range = operands[0];  // from the left, as C evaluates it
  for (size_t i = 1; i < operands.size() && range; ++i) range = OfTwo(expression.op, *range, operands[i]);
  return range;
}

// The largest value for which the condition may hold; nothing where none is known.
std::optional<int64_t> LargestWhere(const IndexExpression& condition, const std::string& iterator,
                                    const IndexRanges& ranges) {
  if (condition.op == Op::kAnd) {
    std::optional<int64_t> largest;
    for (const IndexExpression& part : condition.operands) {
      const std::optional<int64_t> of_part = LargestWhere(part, iterator, ranges);
      if (of_part) largest = std::min(largest.value_or(*of_part), *of_part);
    }
    return largest;
  }
  const bool below = condition.op == Op::kLess;
  if ((!below && condition.op != Op::kLessEqual) || !condition.operands[0].IsName(iterator))
    return std::nullopt;
  const std::optional<IndexRange> bound = RangeOf(condition.operands[1], ranges);
  if (!bound) return std::nullopt;
  return bound->most - (below ? 1 : 0);
}

// Of the iterator in the loop; nothing where it may be too far from 0, also when the loop has ended.
std::optional<IndexRange> IteratorRange(const Loop& loop, const IndexRanges& ranges) {
  const std::optional<IndexRange> first = RangeOf(loop.first, ranges), step = RangeOf(loop.step, ranges);
  if (!first || !step || step->least < 1) return std::nullopt;
  const std::optional<int64_t> largest = LargestWhere(loop.condition, loop.iterator, ranges);
  if (!largest) return std::nullopt;
  const int64_t most = std::max(first->least, *largest);
  if (!Checked(first->least, most + step->most)) return std::nullopt;
  return IndexRange{first->least, most};
}

// Adds what the node defines; false where that may be too far from 0.
bool AddDefined(const Node& node, IndexRanges* ranges) {
  std::optional<IndexRange> range;
  const auto* const loop = node.As<Loop>();
  const auto* const definition = node.As<Definition>();
  if (loop != nullptr) range = IteratorRange(*loop, *ranges);
  if (definition != nullptr) range = RangeOf(definition->value, *ranges);
  if (range) (*ranges)[loop != nullptr ? loop->iterator : definition->name] = *range;
  return range || (loop == nullptr && definition == nullptr);
}

}  // namespace

bool StaysInInt(const Block& block, const IndexRanges& ranges) {
  IndexRanges known = ranges;  // a name has one meaning in a block, but for iterators, each set again
  for (const Node& node : block) {
    if (!AddDefined(node, &known)) return false;
    for (const IndexExpression* expression : ExpressionsOf(node))
      if (!RangeOf(*expression, known)) return false;
    for (const Block* inner : node.blocks())
      if (!StaysInInt(*inner, known)) return false;
  }
  return true;
}

}  // namespace tune
