#include <algorithm>

#include "common/expression/evaluator.h"
#include "common/expression/whole_arithmetic.h"

namespace tune {
namespace {

using Kind = ExpressionNode::Kind;

bool EvaluateWholeUnary(UnaryOperator op, int64_t* value) {
  switch (op) {
    case UnaryOperator::kNegate:
      return !__builtin_sub_overflow(int64_t{0}, *value, value);
    case UnaryOperator::kInvert:
      *value = ~*value;
      return true;
    case UnaryOperator::kNot:
      *value = *value == 0 ? 1 : 0;
      return true;
    case UnaryOperator::kPlus:
      return true;
  }
  return false;
}

// `what` in a list that is written out. All items are evaluated, as each may be an error.
bool IsAmong(int64_t what, const ExpressionNode& list, absl::Span<const Value> slots, bool* found) {
  *found = false;
  for (const ExpressionNode& item : list.operands) {
    int64_t value = 0;
    if (!EvaluateWhole(item, slots, &value)) return false;
    *found = *found || value == what;
  }
  return true;
}

bool Holds(Comparison comparison, int64_t left, int64_t right) {
  switch (comparison) {
    case Comparison::kEqual:
      return left == right;
    case Comparison::kNotEqual:
      return left != right;
    case Comparison::kLess:
      return left < right;
    case Comparison::kLessOrEqual:
      return left <= right;
    case Comparison::kGreater:
      return left > right;
    default:
      return left >= right;
  }
}

bool EvaluateWholeComparison(const ExpressionNode& node, absl::Span<const Value> slots, int64_t* result) {
  int64_t left = 0;
  if (!EvaluateWhole(node.operands[0], slots, &left)) return false;
  const size_t count = node.comparisons.size();
  for (size_t i = 0; i < count; ++i) {
    const ExpressionNode& operand = node.operands[i + 1];
    int64_t right = 0;
    bool holds = false;
    if (node.comparisons[i] >= Comparison::kIn) {
      if (operand.kind != Kind::kList || i + 1 != count || !IsAmong(left, operand, slots, &holds))
        return false;
      holds = holds == (node.comparisons[i] == Comparison::kIn);
    } else {
      if (!EvaluateWhole(operand, slots, &right)) return false;
      holds = Holds(node.comparisons[i], left, right);
    }
    if (!holds) return *result = 0, true;
    left = right;
  }
  *result = 1;
  return true;
}

bool EvaluateWholeCall(const ExpressionNode& node, absl::Span<const Value> slots, int64_t* result) {
  if (!EvaluateWhole(node.operands[0], slots, result)) return false;
  const size_t count = node.operands.size();
  switch (node.function) {
    case Function::kAbs:
      return *result >= 0 || EvaluateWholeUnary(UnaryOperator::kNegate, result);
    case Function::kBool:
      *result = *result != 0 ? 1 : 0;
      return true;
    case Function::kInt:
    case Function::kCeil:
    case Function::kFloor:
      return true;
    case Function::kMin:
    case Function::kMax:
      for (size_t i = 1; i < count; ++i) {
        int64_t value = 0;
        if (!EvaluateWhole(node.operands[i], slots, &value)) return false;
        *result = node.function == Function::kMin ? std::min(*result, value) : std::max(*result, value);
      }
      return count > 1;
    default:
      return false;
  }
}

}  // namespace

bool EvaluateWhole(const ExpressionNode& node, absl::Span<const Value> slots, int64_t* result) {
  switch (node.kind) {
    case Kind::kLiteral:
    case Kind::kName: {
      const Value& value = node.kind == Kind::kName ? slots[node.slot] : node.literal;
      *result = value.IsWhole() ? value.whole() : 0;
      return value.IsWhole();
    }
    case Kind::kUnary:
      return EvaluateWhole(node.operands[0], slots, result) && EvaluateWholeUnary(node.unary, result);
    case Kind::kBinary: {
      int64_t right = 0;
      return EvaluateWhole(node.operands[0], slots, result) &&
             EvaluateWhole(node.operands[1], slots, &right) &&
             ApplyWhole(node.binary, *result, right, result);
    }
    case Kind::kAnd:
    case Kind::kOr:
      for (const ExpressionNode& operand : node.operands) {
        if (!EvaluateWhole(operand, slots, result)) return false;
        if ((*result != 0) == (node.kind == Kind::kOr)) return true;
      }
      return true;
    case Kind::kCompare:
      return EvaluateWholeComparison(node, slots, result);
    case Kind::kConditional: {
      int64_t condition = 0;
      return EvaluateWhole(node.operands[0], slots, &condition) &&
             EvaluateWhole(node.operands[condition != 0 ? 1 : 2], slots, result);
    }
    case Kind::kCall:
      return EvaluateWholeCall(node, slots, result);
    default:
      return false;
  }
}

}  // namespace tune
