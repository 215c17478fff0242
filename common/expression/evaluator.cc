#include "common/expression/evaluator.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/expression/arithmetic.h"
#include "common/expression/comparison.h"
#include "common/expression/functions.h"

namespace tune {
namespace {

using Kind = ExpressionNode::Kind;

class Evaluator {
 public:
  Evaluator(absl::Span<const Value> slots, const EvaluationLimits& limits)
      : slots_(slots), limits_(limits), steps_left_(limits.steps) {}

  absl::StatusOr<Value> Evaluate(const ExpressionNode& node) {
    TUNE_RETURN_IF_ERROR(Spend(node, 1));
    switch (node.kind) {
      case Kind::kLiteral:
        return node.literal;
      case Kind::kName:
        return slots_[node.slot];
      case Kind::kLocal:
        return locals_[node.slot];
      case Kind::kUnary: {
        TUNE_ASSIGN_OR_RETURN(const Value operand, Evaluate(node.operands[0]));
        return Placed(node, Apply(node.unary, operand));
      }
      case Kind::kBinary:
        return EvaluateBinary(node);
      case Kind::kAnd:
      case Kind::kOr:
        return EvaluateLogical(node);
      case Kind::kCompare:
        return EvaluateComparison(node);
      case Kind::kConditional: {
        TUNE_ASSIGN_OR_RETURN(const Value condition, Evaluate(node.operands[0]));
        return Evaluate(node.operands[condition.IsTrue() ? 1 : 2]);
      }
      case Kind::kList: {
        TUNE_ASSIGN_OR_RETURN(std::vector<Value> items, EvaluateAll(node));
        return Value::List(std::move(items));
      }
      case Kind::kComprehension:
        return EvaluateComprehension(node);
      case Kind::kSubscript: {
        TUNE_ASSIGN_OR_RETURN(const Value of, Evaluate(node.operands[0]));
        TUNE_ASSIGN_OR_RETURN(const Value which, Evaluate(node.operands[1]));
        return Placed(node, Subscript(of, which));
      }
      case Kind::kCall:
        return EvaluateCall(node);
    }
    return absl::InternalError("no such node");
  }

 private:
  // An error without a column is one of this node.
  template <typename Result>
  static absl::StatusOr<Result> Placed(const ExpressionNode& node, absl::StatusOr<Result> result) {
    if (result.ok()) return result;
    return ExpressionError(node.column, result.status().message());
  }

  absl::Status Spend(const ExpressionNode& node, int64_t steps) {
    steps_left_ -= steps;
    if (steps_left_ >= 0) return absl::OkStatus();
    return ExpressionError(node.column, absl::StrCat("the evaluation takes more than ", limits_.steps,
                                                     " steps; shorten the lists that it goes through"));
  }

  absl::StatusOr<std::vector<Value>> EvaluateAll(const ExpressionNode& node) {
    std::vector<Value> values;
    values.reserve(node.operands.size());
    for (const ExpressionNode& operand : node.operands) {
      TUNE_ASSIGN_OR_RETURN(values.emplace_back(), Evaluate(operand));
    }
    return values;
  }

  absl::StatusOr<Value> EvaluateBinary(const ExpressionNode& node) {
    TUNE_ASSIGN_OR_RETURN(const Value a, Evaluate(node.operands[0]));
    TUNE_ASSIGN_OR_RETURN(const Value b, Evaluate(node.operands[1]));
    TUNE_ASSIGN_OR_RETURN(Value result, Placed(node, Apply(node.binary, a, b, limits_)));
    if (result.IsList()) TUNE_RETURN_IF_ERROR(Spend(node, static_cast<int64_t>(result.list().size())));
    return result;
  }

  absl::StatusOr<Value> EvaluateLogical(const ExpressionNode& node) {
    Value value;
    for (const ExpressionNode& operand : node.operands) {
      TUNE_ASSIGN_OR_RETURN(value, Evaluate(operand));
      if (value.IsTrue() == (node.kind == Kind::kOr)) return value;
    }
    return value;
  }

  absl::StatusOr<Value> EvaluateComparison(const ExpressionNode& node) {
    TUNE_ASSIGN_OR_RETURN(Value left, Evaluate(node.operands[0]));
    for (size_t i = 0; i < node.comparisons.size(); ++i) {
      TUNE_ASSIGN_OR_RETURN(Value right, Evaluate(node.operands[i + 1]));
      TUNE_RETURN_IF_ERROR(Spend(node, right.Extent()));
      TUNE_ASSIGN_OR_RETURN(const bool holds, Placed(node, Compare(node.comparisons[i], left, right)));
      if (!holds) return Value::Boolean(false);
      left = std::move(right);
    }
    return Value::Boolean(true);
  }

  absl::StatusOr<Value> EvaluateCall(const ExpressionNode& node) {
    TUNE_ASSIGN_OR_RETURN(const std::vector<Value> arguments, EvaluateAll(node));
    for (const Value& argument : arguments) TUNE_RETURN_IF_ERROR(Spend(node, argument.Extent()));
    TUNE_ASSIGN_OR_RETURN(Value result, Placed(node, Call(node.function, arguments, limits_)));
    if (result.IsList()) TUNE_RETURN_IF_ERROR(Spend(node, static_cast<int64_t>(result.list().size())));
    return result;
  }

  absl::StatusOr<Value> EvaluateComprehension(const ExpressionNode& node) {
    std::vector<Value> items;
    TUNE_RETURN_IF_ERROR(RunClauses(node, 0, &items));
    return Value::List(std::move(items));
  }

  absl::Status RunClauses(const ExpressionNode& node, size_t clause, std::vector<Value>* items) {
    if (clause == node.clauses.size()) {
      if (static_cast<int64_t>(items->size()) == limits_.list_length) {
        return ExpressionError(node.column,
                               absl::StrCat("a list of more than ", limits_.list_length, " values"));
      }
      TUNE_ASSIGN_OR_RETURN(items->emplace_back(), Evaluate(node.operands[0]));
      return absl::OkStatus();
    }
    const ExpressionNode& operand = node.operands[clause + 1];
    TUNE_ASSIGN_OR_RETURN(const Value value, Evaluate(operand));
    if (!node.clauses[clause].is_loop())
      return value.IsTrue() ? RunClauses(node, clause + 1, items) : absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const std::vector<Value> loop, Placed(operand, ItemsOf(value)));
    const size_t slot = node.clauses[clause].slot;
    if (locals_.size() <= slot) locals_.resize(slot + 1);
    TUNE_RETURN_IF_ERROR(Spend(node, static_cast<int64_t>(loop.size())));
    for (const Value& item : loop) {
      locals_[slot] = item;
      TUNE_RETURN_IF_ERROR(RunClauses(node, clause + 1, items));
    }
    return absl::OkStatus();
  }

  absl::Span<const Value> slots_;
  const EvaluationLimits& limits_;
  int64_t steps_left_;
  std::vector<Value> locals_;
};

}  // namespace

absl::StatusOr<Value> EvaluateNode(const ExpressionNode& node, absl::Span<const Value> slots,
                                   const EvaluationLimits& limits) {
  return Evaluator(slots, limits).Evaluate(node);
}

}  // namespace tune
