#include "worker/print/index_text.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

// C operator, or null when it is not a plain binary one.
const char* BinaryOperator(Op op) {
  switch (op) {
    case Op::kAnd:
      return "&&";
    case Op::kOr:
      return "||";
    case Op::kAdd:
      return "+";
    case Op::kSubtract:
      return "-";
    case Op::kMultiply:
      return "*";
    case Op::kQuotient:
      return "/";
    case Op::kRemainder:
      return "%";
    case Op::kEqual:
      return "==";
    case Op::kLess:
      return "<";
    case Op::kLessEqual:
      return "<=";
    case Op::kGreater:
      return ">";
    case Op::kGreaterEqual:
      return ">=";
    default:
      return nullptr;
  }
}

}  // namespace

std::string MacroDefinitions(const HelperNames& names, const std::set<std::string>& macros) {
  std::string text;
  if (macros.count(names.minimum)) {
    absl::StrAppend(&text, "#define ", names.minimum, "(x, y) ((x) < (y) ? (x) : (y))\n");
  }
  if (macros.count(names.maximum)) {
    absl::StrAppend(&text, "#define ", names.maximum, "(x, y) ((x) > (y) ? (x) : (y))\n");
  }
  if (macros.count(names.floor)) {
    absl::StrAppend(&text, "#define ", names.floor,
                    "(n, d) ((n) < 0 ? -((-(n) + (d)-1) / (d)) : (n) / (d))\n");
  }
  return text;
}

CText IndexPrinter::Print(const IndexExpression& expression) {
  const std::vector<IndexExpression>& operands = expression.operands;
  switch (expression.op) {
    case Op::kConstant:
      return {absl::StrCat(expression.value), expression.value < 0 ? CText::kUnary : CText::kPostfix};
    case Op::kName:
      return {expression.name, CText::kPostfix};
    case Op::kMinimum:
      return PrintMacro(names_.minimum, expression);
    case Op::kMaximum:
      return PrintMacro(names_.maximum, expression);
    case Op::kFloor:
      return PrintMacro(names_.floor, expression);
    case Op::kNegate:
      return UnaryText("-", Print(operands[0]));
    case Op::kNot:
      return UnaryText("!", Print(operands[0]));
    case Op::kToIndex:
      return CastText(index_type_, Print(operands[0]));
    case Op::kSelect:
      return ConditionalText(Print(operands[0]), Print(operands[1]), Print(operands[2]));
    default:
      break;
  }
  CText text = Print(operands[0]);
  for (size_t i = 1; i < operands.size(); ++i)
    text = BinaryText(BinaryOperator(expression.op), text, Print(operands[i]));
  return text;
}

CText IndexPrinter::PrintMacro(const std::string& macro, const IndexExpression& expression) {
  used_macros_.insert(macro);
  CText text = Print(expression.operands.back());
  for (int i = static_cast<int>(expression.operands.size()) - 2; i >= 0; --i)
    text = CallText(macro, {Print(expression.operands[i]), text});
  return text;
}

CText IndexPrinter::PrintAccess(const ElementAccess& access) {
  std::vector<CText> subscripts;
  for (const IndexExpression& subscript : access.subscripts) subscripts.push_back(Print(subscript));
  return PrintElement(access.array, subscripts);
}

CText IndexPrinter::PrintElement(const std::string& array, const std::vector<CText>& subscripts) const {
  if (const auto print = element_printers_.find(array); print != element_printers_.end())
    return print->second(subscripts);
  const auto other = array_texts_.find(array);
  std::string text = other == array_texts_.end() ? array : other->second;
  for (const CText& subscript : subscripts) absl::StrAppend(&text, "[", subscript.text, "]");
  return {text, CText::kPostfix};
}

std::string IndexPrinter::Undefinitions() const {
  std::string text;
  for (const std::string& macro : used_macros_) absl::StrAppend(&text, "#undef ", macro, "\n");
  return text;
}

}  // namespace tune
