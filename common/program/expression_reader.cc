#include "common/program/expression_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "common/program/expression_operators.h"

namespace tune {
namespace {

// Precedence climbing.
class ExpressionParser {
 public:
  explicit ExpressionParser(TextCursor* cursor) : cursor_(*cursor) {}

  absl::StatusOr<IndexExpression> Read() {
    TUNE_ASSIGN_OR_RETURN(Parsed parsed, ReadSelect());
    return std::move(parsed.expression);
  }

 private:
  struct Parsed {
    IndexExpression expression;
    int depth = 1;
  };
  // Counts what the parser is inside of.
  struct Nesting {
    explicit Nesting(int* depth) : depth_(depth) { ++*depth_; }
    ~Nesting() { --*depth_; }
    int* depth_;
  };
  // For an operand between parentheses: those of its operator, of them and inside of them.
  static constexpr int kMostNesting = 3 * kMostExpressionDepth + 2;

  absl::Status CheckDepth(int depth = 1) {
    if (depth <= kMostExpressionDepth && nesting_ <= kMostNesting) return absl::OkStatus();
    return cursor_.Refuse(absl::StrCat("the expression is deeper than ", kMostExpressionDepth, " operators"));
  }

  absl::StatusOr<Parsed> Make(IndexExpression::Op op, std::vector<Parsed> operands) {
    Parsed made;
    made.expression.op = op;
    for (Parsed& operand : operands) {
      made.depth = std::max(made.depth, operand.depth + 1);
      made.expression.operands.push_back(std::move(operand.expression));
    }
    TUNE_RETURN_IF_ERROR(CheckDepth(made.depth));
    return made;
  }

  template <typename... Operands>
  absl::StatusOr<Parsed> MakeOf(IndexExpression::Op op, Operands... operands) {
    std::vector<Parsed> all;
    (all.push_back(std::move(operands)), ...);
    return Make(op, std::move(all));
  }

  absl::StatusOr<Parsed> ReadSelect() {
    const Nesting nesting(&nesting_);
    TUNE_RETURN_IF_ERROR(CheckDepth());
    TUNE_ASSIGN_OR_RETURN(Parsed condition, ReadBinary(kSelectPrecedence + 1));
    if (!cursor_.Take("?")) return condition;
    TUNE_ASSIGN_OR_RETURN(Parsed then, ReadSelect());
    TUNE_RETURN_IF_ERROR(cursor_.Expect(":"));
    TUNE_ASSIGN_OR_RETURN(Parsed otherwise, ReadSelect());
    return MakeOf(IndexExpression::Op::kSelect, std::move(condition), std::move(then), std::move(otherwise));
  }

  // Operators that bind at least as tightly.
  absl::StatusOr<Parsed> ReadBinary(int precedence) {
    const Nesting nesting(&nesting_);
    TUNE_RETURN_IF_ERROR(CheckDepth());
    TUNE_ASSIGN_OR_RETURN(Parsed left, ReadUnary());
    while (const InfixOperator* binary = TakeBinary(precedence)) {
      TUNE_ASSIGN_OR_RETURN(Parsed right, ReadBinary(binary->precedence + 1));
      TUNE_ASSIGN_OR_RETURN(left, MakeOf(binary->op, std::move(left), std::move(right)));
    }
    return left;
  }

  const InfixOperator* TakeBinary(int precedence) {
    for (const InfixOperator& binary : kInfixOperators) {
      if (binary.precedence >= precedence && cursor_.Take(binary.symbol)) return &binary;
    }
    return nullptr;
  }

  absl::StatusOr<Parsed> ReadUnary() {
    if (cursor_.Take("!")) return ReadUnaryOf(IndexExpression::Op::kNot);
    if (cursor_.AtNumber()) {
      TUNE_ASSIGN_OR_RETURN(const int64_t value, cursor_.TakeNumber());
      return Parsed{IndexExpression::Constant(value)};
    }
    if (cursor_.Take("-")) return ReadUnaryOf(IndexExpression::Op::kNegate);
    if (cursor_.Take("(")) {
      TUNE_ASSIGN_OR_RETURN(Parsed inner, ReadSelect());
      TUNE_RETURN_IF_ERROR(cursor_.Expect(")"));
      return inner;
    }
    return ReadNamed();
  }

  absl::StatusOr<Parsed> ReadUnaryOf(IndexExpression::Op op) {
    const Nesting nesting(&nesting_);
    TUNE_RETURN_IF_ERROR(CheckDepth());
    TUNE_ASSIGN_OR_RETURN(Parsed operand, ReadUnary());
    return MakeOf(op, std::move(operand));
  }

  absl::StatusOr<Parsed> ReadNamed() {
    if (!cursor_.AtName()) return cursor_.Expected("an expression");
    const TextCursor begin = cursor_;
    const bool quoted = cursor_.AtQuotes();
    TUNE_ASSIGN_OR_RETURN(std::string name, cursor_.TakeName());
    if (quoted || !cursor_.Take("(")) return Parsed{IndexExpression::Name(std::move(name))};
    for (const CallOperator& call : kCallOperators) {
      if (name == call.name) return ReadCall(call);
    }
    cursor_ = begin;
    return cursor_.Expected("floor, min, max or index before \"(\"");
  }

  // What follows the opening parenthesis.
  absl::StatusOr<Parsed> ReadCall(const CallOperator& call) {
    std::vector<Parsed> operands;
    do {
      TUNE_ASSIGN_OR_RETURN(operands.emplace_back(), ReadSelect());
    } while (operands.size() < call.most_operands && cursor_.Take(","));
    if (operands.size() < call.least_operands)
      return cursor_.Expected(absl::StrCat("another operand of ", call.name));
    TUNE_RETURN_IF_ERROR(cursor_.Expect(")"));
    return Make(call.op, std::move(operands));
  }

  TextCursor& cursor_;
  int nesting_ = 0;
};

}  // namespace

absl::StatusOr<IndexExpression> ReadIndexExpression(absl::string_view text) {
  TextCursor cursor(text, 1);
  TUNE_ASSIGN_OR_RETURN(IndexExpression expression, ReadIndexExpression(&cursor));
  TUNE_RETURN_IF_ERROR(cursor.ExpectEnd());
  return expression;
}

absl::StatusOr<IndexExpression> ReadIndexExpression(TextCursor* cursor) {
  return ExpressionParser(cursor).Read();
}

absl::StatusOr<std::vector<IndexExpression>> ReadSubscripts(TextCursor* cursor) {
  std::vector<IndexExpression> subscripts;
  while (cursor->Take("[")) {
    TUNE_ASSIGN_OR_RETURN(subscripts.emplace_back(), ReadIndexExpression(cursor));
    TUNE_RETURN_IF_ERROR(cursor->Expect("]"));
  }
  return subscripts;
}

absl::StatusOr<ElementAccess> ReadElementAccess(TextCursor* cursor) {
  ElementAccess access;
  TUNE_ASSIGN_OR_RETURN(access.array, cursor->TakeName());
  TUNE_ASSIGN_OR_RETURN(access.subscripts, ReadSubscripts(cursor));
  return access;
}

}  // namespace tune
