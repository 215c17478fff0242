#include "common/program/statement_value.h"

namespace tune {
namespace {

void Collect(const v1::Expression& expression, std::vector<const v1::Expression*>& found) {
  switch (expression.kind_case()) {
    case v1::Expression::kAffine:
      found.push_back(&expression);
      break;
    case v1::Expression::kOperation:
      for (const v1::Expression& operand : expression.operation().operands()) Collect(operand, found);
      break;
    case v1::Expression::kCall:
      for (const v1::Expression& argument : expression.call().arguments()) Collect(argument, found);
      break;
    case v1::Expression::kCast:
      Collect(expression.cast().operand(), found);
      break;
    default:
      break;
  }
}

}  // namespace

std::vector<const v1::Expression*> AffineExpressions(const v1::Expression& value) {
  std::vector<const v1::Expression*> found;
  Collect(value, found);
  return found;
}

}  // namespace tune
