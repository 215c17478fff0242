#include "common/program/expression_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/program/expression_operators.h"
#include "common/program/name_text.h"

namespace tune {
namespace {

struct ExpressionText {
  std::string text;
  int precedence;
};

ExpressionText TextOf(const IndexExpression& expression);

// As an operand of what binds with `precedence`.
std::string OperandText(const IndexExpression& operand, int precedence) {
  const ExpressionText text = TextOf(operand);
  return text.precedence < precedence ? absl::StrCat("(", text.text, ")") : text.text;
}

// -(5) is no constant, and --a no negated value of a negated one.
ExpressionText NegatedText(const IndexExpression& operand) {
  const bool closed = operand.IsConstant() || operand.op == IndexExpression::Op::kNegate;
  return {"-" + OperandText(operand, closed ? kPostfixPrecedence + 1 : kUnaryPrecedence), kUnaryPrecedence};
}

ExpressionText SelectText(const std::vector<IndexExpression>& operands) {
  return {absl::StrCat(OperandText(operands[0], kSelectPrecedence + 1), " ? ",
                       OperandText(operands[1], kSelectPrecedence), " : ",
                       OperandText(operands[2], kSelectPrecedence)),
          kSelectPrecedence};
}

ExpressionText TextOf(const IndexExpression& expression) {
  using Op = IndexExpression::Op;
  const std::vector<IndexExpression>& operands = expression.operands;
  if (expression.op == Op::kConstant)
    return {absl::StrCat(expression.value), expression.value < 0 ? kUnaryPrecedence : kPostfixPrecedence};
  if (expression.op == Op::kName) return {PrintName(expression.name), kPostfixPrecedence};
  if (expression.op == Op::kNegate) return NegatedText(operands[0]);
  if (expression.op == Op::kNot) return {"!" + OperandText(operands[0], kUnaryPrecedence), kUnaryPrecedence};
  if (expression.op == Op::kSelect) return SelectText(operands);
  for (const CallOperator& call : kCallOperators) {
    if (call.op != expression.op) continue;
    const auto append = [](std::string* text, const IndexExpression& operand) {
      *text += PrintIndexExpression(operand);
    };
    return {absl::StrCat(call.name, "(", absl::StrJoin(operands, ", ", append), ")"), kPostfixPrecedence};
  }
  for (const InfixOperator& binary : kInfixOperators) {
    if (binary.op != expression.op) continue;
    std::string text = OperandText(operands[0], binary.precedence);
    for (size_t i = 1; i < operands.size(); ++i)
      absl::StrAppend(&text, " ", binary.symbol, " ", OperandText(operands[i], binary.precedence + 1));
    return {std::move(text), binary.precedence};
  }
  return {};
}

}  // namespace

std::string PrintIndexExpression(const IndexExpression& expression) { return TextOf(expression).text; }

std::string PrintSubscripts(const std::vector<IndexExpression>& subscripts) {
  std::string text;
  for (const IndexExpression& subscript : subscripts)
    absl::StrAppend(&text, "[", PrintIndexExpression(subscript), "]");
  return text;
}

std::string PrintElementAccess(const ElementAccess& access) {
  return PrintName(access.array) + PrintSubscripts(access.subscripts);
}

}  // namespace tune
