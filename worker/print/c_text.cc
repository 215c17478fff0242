#include "worker/print/c_text.h"

#include <cstdint>
#include <limits>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tune {
namespace {

const std::map<absl::string_view, CText::Precedence>& BinaryPrecedences() {
  static const auto* const precedences = new std::map<absl::string_view, CText::Precedence>{
      {"*", CText::kMultiplicative}, {"/", CText::kMultiplicative},
      {"%", CText::kMultiplicative}, {"+", CText::kAdditive},
      {"-", CText::kAdditive},       {"<<", CText::kShift},
      {">>", CText::kShift},         {"<", CText::kRelational},
      {"<=", CText::kRelational},    {">", CText::kRelational},
      {">=", CText::kRelational},    {"==", CText::kEquality},
      {"!=", CText::kEquality},      {"&", CText::kAnd},
      {"^", CText::kExclusiveOr},    {"|", CText::kInclusiveOr},
      {"&&", CText::kLogicalAnd},    {"||", CText::kLogicalOr}};
  return *precedences;
}

std::string Parenthesized(const CText& text) { return absl::StrCat("(", text.text, ")"); }

// Where C needs no parentheses but -Wparentheses and readers want them.
bool WantsParentheses(CText::Precedence outer, const CText& operand) {
  const bool not_operator = operand.precedence == CText::kUnary && operand.text[0] == '!';
  switch (outer) {
    case CText::kEquality:
    case CText::kRelational:
      return not_operator || (operand.precedence <= CText::kRelational);
    case CText::kShift:
      return operand.precedence <= CText::kAdditive;
    case CText::kAnd:
    case CText::kExclusiveOr:
    case CText::kInclusiveOr:
      return not_operator || operand.precedence <= CText::kAdditive;
    case CText::kLogicalOr:
      return operand.precedence == CText::kLogicalAnd;
    default:
      return false;
  }
}

}  // namespace

bool IsBinaryOperator(absl::string_view op) { return BinaryPrecedences().count(op) > 0; }

CText BinaryText(absl::string_view op, const CText& left, const CText& right) {
  const CText::Precedence outer = BinaryPrecedences().at(op);
  const bool left_parentheses = left.precedence < outer || WantsParentheses(outer, left);
  const bool right_parentheses = right.precedence <= outer || WantsParentheses(outer, right) ||
                                 (right.precedence == CText::kUnary && right.text[0] == op[0]);
  return {absl::StrCat(left_parentheses ? Parenthesized(left) : left.text, " ", op, " ",
                       right_parentheses ? Parenthesized(right) : right.text),
          outer};
}

CText UnaryText(absl::string_view op, const CText& operand) {
  const bool parentheses = operand.precedence < CText::kUnary || operand.text[0] == op[0];
  return {absl::StrCat(op, parentheses ? Parenthesized(operand) : operand.text), CText::kUnary};
}

CText CastText(absl::string_view type, const CText& operand) {
  return {absl::StrCat("(", type, ")",
                       operand.precedence < CText::kUnary ? Parenthesized(operand) : operand.text),
          CText::kUnary};
}

CText ConditionalText(const CText& condition, const CText& then, const CText& otherwise) {
  const auto part = [](const CText& text) {
    return text.precedence <= CText::kConditional ? Parenthesized(text) : text.text;
  };
  return {absl::StrCat(part(condition), " ? ", part(then), " : ", part(otherwise)), CText::kConditional};
}

CText CallText(absl::string_view function, const std::vector<CText>& arguments) {
  const auto print = [](std::string* out, const CText& argument) { out->append(argument.text); };
  return {absl::StrCat(function, "(", absl::StrJoin(arguments, ", ", print), ")"), CText::kPostfix};
}

CText IntegerText(int64_t value, absl::string_view type) {
  const bool fits_int =
      value >= -std::numeric_limits<int32_t>::max() && value <= std::numeric_limits<int32_t>::max();
  if (value == std::numeric_limits<int64_t>::min()) {
    return BinaryText("-", IntegerText(value + 1, type), IntegerText(1, type));
  }
  const auto number = [&](absl::string_view suffix) -> CText {
    return {absl::StrCat(value, suffix), value < 0 ? CText::kUnary : CText::kPostfix};
  };
  if (type == "int" && fits_int) return number("");
  if (type == "long") return number("L");
  if (type == "long long") return number("LL");
  if (type == "unsigned int" && value >= 0 && value <= std::numeric_limits<uint32_t>::max())
    return number("U");
  if (type == "unsigned long" && value >= 0) return number("UL");
  return CastText(type, number(fits_int ? "" : "L"));
}

}  // namespace tune
