#include "common/parameters/partial_evaluation.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/expression/comparison.h"
#include "common/expression/evaluator.h"

namespace tune {
namespace {

using Kind = ExpressionNode::Kind;

// Small ones are short; says where it ends.
void AppendNumber(int64_t number, std::string* text) {
  uint64_t bits = (static_cast<uint64_t>(number) << 1) ^ static_cast<uint64_t>(number >> 63);
  for (; bits >= 128; bits /= 128) *text += static_cast<char>(128 + bits % 128);
  *text += static_cast<char>(bits);
}

// Begins with a capital letter, and says where it ends.
void AppendValue(const Value& value, std::string* text) {
  static constexpr char kLetters[] = {'B', 'I', 'F', 'S', 'L'};  // by Value::Kind
  *text += kLetters[static_cast<int>(value.kind())];
  switch (value.kind()) {
    case Value::Kind::kBoolean:
      *text += value.IsTrue() ? '1' : '0';
      return;
    case Value::Kind::kInteger:
      return AppendNumber(value.whole(), text);
    case Value::Kind::kFloat: {
      const double number = value.AsDouble();
      int64_t bits = 0;
      std::memcpy(&bits, &number, sizeof(bits));
      return AppendNumber(bits, text);
    }
    case Value::Kind::kString:
      AppendNumber(static_cast<int64_t>(value.string().size()), text);
      *text += value.string();
      return;
    case Value::Kind::kList:
      AppendNumber(static_cast<int64_t>(value.list().size()), text);
      for (const Value& item : value.list()) AppendValue(item, text);
      return;
  }
}

bool Calls(const ExpressionNode& node, Function function) {
  return (node.kind == Kind::kCall && node.function == function) ||
         std::any_of(node.operands.begin(), node.operands.end(),
                     [&](const ExpressionNode& operand) { return Calls(operand, function); });
}

}  // namespace

// One evaluation. What is known goes up as a value; of what is not, the text says which condition is left:
// small letters tell what was dropped, values stand for the largest parts all of whose names are bound.
struct PartialConstraint::Bound {
  const PartialConstraint& constraint;
  absl::Span<const Value> slots;
  int level;
  std::string* text;

  using Known = std::optional<Value>;

  // Of a part all of whose names are bound.
  absl::StatusOr<Value> Evaluate(const ExpressionNode& node) const {
    int64_t whole = 0;
    if (constraint.may_take_whole_ && EvaluateWhole(node, slots, &whole)) return Value::Integer(whole);
    return EvaluateNode(node, slots, constraint.limits_);
  }

  // Nothing is known; the text gets what is left.
  Known Unknown(const Part& part, size_t begin) {
    text->resize(begin);
    *text += 'e';
    for (const int slot : part.slots) {
      if (constraint.level_[slot] <= level) AppendValue(slots[slot], text);
    }
    return std::nullopt;
  }

  Known Look(const Part& part) {
    const size_t begin = text->size();
    if (part.last_level <= level) {
      absl::StatusOr<Value> value = Evaluate(*part.node);
      if (value.ok()) return *std::move(value);
      return Unknown(part, begin);  // whether it is ever evaluated depends on others
    }
    switch (part.node->kind) {
      case Kind::kAnd:
      case Kind::kOr:
        return LookAtLogical(part);
      case Kind::kCompare:
        return LookAtComparison(part);
      case Kind::kConditional:
        return LookAtConditional(part);
      case Kind::kComprehension:
        return Unknown(part, begin);
      default:
        break;
    }
    if (part.node->kind == Kind::kUnary && part.node->unary == UnaryOperator::kNot) {
      const Known operand = Look(part.operands[0]);
      return operand.has_value() ? Known(Value::Boolean(!operand->IsTrue())) : std::nullopt;
    }
    for (const Part& operand : part.operands) LookAndWrite(operand);
    return std::nullopt;
  }

  // The text gets also what is known.
  void LookAndWrite(const Part& part) {
    const Known known = Look(part);
    if (known.has_value() && part.last_level >= 0) AppendValue(*known, text);
  }

  Known LookAtLogical(const Part& part) {
    const size_t begin = text->size();
    bool is_open = false;  // the operands so far leave open which one it is
    for (const Part& operand : part.operands) {
      const size_t letter = text->size();
      *text += 'u';
      const Known known = Look(operand);
      if (!known.has_value()) {
        is_open = true;
      } else if (is_open) {
        (*text)[letter] = 'v';
        AppendValue(*known, text);
      } else if (known->IsTrue() == (part.node->kind == Kind::kOr)) {
        text->resize(begin);
        return known;
      } else {
        (*text)[letter] = 'd';
      }
    }
    return std::nullopt;
  }

  Known LookAtConditional(const Part& part) {
    const size_t begin = text->size();
    *text += 'c';
    const Known condition = Look(part.operands[0]);
    if (condition.has_value()) {
      (*text)[begin] = condition->IsTrue() ? 't' : 'f';
      Known known = Look(part.operands[condition->IsTrue() ? 1 : 2]);
      if (known.has_value()) text->resize(begin);
      return known;
    }
    LookAndWrite(part.operands[1]);
    LookAndWrite(part.operands[2]);
    return std::nullopt;
  }

  // Of a part that has one: what it may be worth; nothing where that may be an error.
  std::optional<ValueRange> RangeOfPart(const Part& part) const {
    if (part.last_level <= level) {
      int64_t whole = 0;
      if (!EvaluateWhole(*part.node, slots, &whole)) return std::nullopt;
      return ValueRange{whole, whole};
    }
    if (part.node->kind == Kind::kName) return constraint.ranges_[part.node->slot];
    if (part.node->kind != Kind::kBinary) return std::nullopt;
    const std::optional<ValueRange> left = RangeOfPart(part.operands[0]);
    if (!left.has_value()) return std::nullopt;
    const std::optional<ValueRange> right = RangeOfPart(part.operands[1]);
    return right.has_value() ? RangeOf(part.node->binary, *left, *right) : std::nullopt;
  }

  // Whether a comparison holds whatever the parameters to come are; no operand of it can be an error then.
  std::optional<bool> CompareByRanges(const Part& part) const {
    bool all_hold = true;
    bool one_fails = false;
    std::optional<ValueRange> left = RangeOfPart(part.operands[0]);
    for (size_t i = 0; i < part.node->comparisons.size(); ++i) {
      const std::optional<ValueRange> right = RangeOfPart(part.operands[i + 1]);
      if (!left.has_value() || !right.has_value()) return std::nullopt;
      const std::optional<bool> holds = CompareRanges(part.node->comparisons[i], *left, *right);
      all_hold = all_hold && holds.value_or(false);
      one_fails = one_fails || !holds.value_or(true);
      left = right;
    }
    if (one_fails) return false;
    return all_hold ? std::optional<bool>(true) : std::nullopt;
  }

  // What holds already, from the first on, is dropped.
  Known LookAtComparison(const Part& part) {
    const size_t begin = text->size();
    const size_t count = part.operands.size();
    *text += "q  ";
    size_t first = 0;  // the first operand of which something is not known
    Known left;
    for (; first < count; ++first) {
      Known right = Look(part.operands[first]);
      if (!right.has_value()) break;
      if (first > 0) {
        const absl::StatusOr<bool> holds = Compare(part.node->comparisons[first - 1], *left, *right);
        if (!holds.ok()) return Unknown(part, begin);
        if (!*holds) {
          text->resize(begin);
          return Value::Boolean(false);
        }
      }
      left = std::move(right);
    }
    if (first == count) {
      text->resize(begin);
      return Value::Boolean(true);
    }
    if (part.has_range) {
      const std::optional<bool> holds = CompareByRanges(part);
      if (holds.has_value()) {
        text->resize(begin);
        return Value::Boolean(*holds);
      }
    }
    (*text)[begin + 1] = static_cast<char>(first / 256);
    (*text)[begin + 2] = static_cast<char>(first % 256);
    if (first > 0 && part.operands[first - 1].last_level >= 0) AppendValue(*left, text);
    for (size_t i = first + 1; i < count; ++i) LookAndWrite(part.operands[i]);
    return std::nullopt;
  }
};

PartialConstraint::Part PartialConstraint::MakePart(const ExpressionNode& node) const {
  Part part;
  part.node = &node;
  if (node.kind == Kind::kName) {
    part.slots.push_back(node.slot);
    part.last_level = level_[node.slot];
  }
  for (const ExpressionNode& operand : node.operands) {
    Part made = MakePart(operand);
    part.last_level = std::max(part.last_level, made.last_level);
    part.slots.insert(part.slots.end(), made.slots.begin(), made.slots.end());
    part.operands.push_back(std::move(made));
  }
  const bool is_name = node.kind == Kind::kName && ranges_[node.slot].has_value();
  const bool is_literal = node.kind == Kind::kLiteral && node.literal.IsWhole();
  const bool is_operation = node.kind == Kind::kBinary || node.kind == Kind::kCompare;
  part.has_range = is_name || is_literal ||
                   (is_operation && std::all_of(part.operands.begin(), part.operands.end(),
                                                [](const Part& operand) { return operand.has_range; }));
  std::sort(part.slots.begin(), part.slots.end());
  part.slots.erase(std::unique(part.slots.begin(), part.slots.end()), part.slots.end());
  return part;
}

PartialConstraint::PartialConstraint(const ExpressionNode& root, absl::Span<const int> level,
                                     absl::Span<const std::optional<ValueRange>> ranges,
                                     const EvaluationLimits& limits)
    : level_(level.begin(), level.end()),
      ranges_(ranges.begin(), ranges.end()),
      tree_(std::make_shared<const ExpressionNode>(root)),
      root_(MakePart(*tree_)),
      limits_(limits),
      may_take_whole_(!Calls(root, Function::kStr)) {}

absl::StatusOr<std::optional<bool>> PartialConstraint::Check(absl::Span<const Value> slots, int level,
                                                             std::string* condition) const {
  condition->clear();
  Bound bound{*this, slots, level, condition};
  if (root_.last_level <= level) {
    TUNE_ASSIGN_OR_RETURN(const Value value, bound.Evaluate(*root_.node));
    return value.IsTrue();
  }
  const std::optional<Value> known = bound.Look(root_);
  if (!known.has_value()) return std::nullopt;
  return known->IsTrue();
}

}  // namespace tune
