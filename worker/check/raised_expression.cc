#include "worker/check/raised_expression.h"

#include <algorithm>

#include "common/isl/functions.h"
#include "common/isl/spaces.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

isl::pw_aff Rounded(const isl::pw_aff& quotient) { return quotient.floor(); }

}  // namespace

ExpressionRaising::ExpressionRaising(isl::ctx ctx, const std::vector<std::string>& iterators)
    : space_(SetSpace(ctx, 0, iterators.size())), iterators_(iterators) {}

isl::pw_aff ExpressionRaising::Constant(int64_t value) const {
  const isl::val constant(space_.ctx(), static_cast<long>(value));
  return ConstantOn(universe(), constant);
}

isl::pw_aff ExpressionRaising::Name(const std::string& name) const {
  const auto found = std::find(iterators_.rbegin(), iterators_.rend(), name);
  if (found == iterators_.rend()) {
    const isl::id id = NamedId(space_.ctx(), name);
    return isl::pw_aff::param_on_domain(universe(), id);
  }
  const auto place = static_cast<unsigned>(iterators_.rend() - found - 1);
  return VariableOn(space_, place);
}

isl::pw_aff ExpressionRaising::Raise(const IndexExpression& expression) const {
  if (expression.op == Op::kConstant) return Constant(expression.value);
  if (expression.op == Op::kName) return Name(expression.name);
  const std::vector<IndexExpression>& operands = expression.operands;
  switch (expression.op) {
    case Op::kNegate:
      return Raise(operands[0]).neg();
    case Op::kToIndex:
      return Raise(operands[0]);
    case Op::kSelect:
      return Where(operands[0]).indicator_function().cond(Raise(operands[1]), Raise(operands[2]));
    case Op::kNot:
    case Op::kAnd:
    case Op::kOr:
    case Op::kEqual:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
      return Where(expression).indicator_function();
    default:
      break;
  }
  isl::pw_aff value = Raise(operands[0]);
  for (size_t i = 1; i < operands.size(); ++i) {
    const isl::pw_aff right = Raise(operands[i]);
    switch (expression.op) {
      case Op::kAdd:
        value = value.add(right);
        break;
      case Op::kSubtract:
        value = value.sub(right);
        break;
      case Op::kMultiply:
        value = value.mul(right);
        break;
      case Op::kQuotient:
        value = value.tdiv_q(right);
        break;
      case Op::kRemainder:
        value = value.tdiv_r(right);
        break;
      case Op::kFloor:
        value = Rounded(value.div(right));
        break;
      case Op::kMinimum:
        value = value.min(right);
        break;
      default:  // kMaximum
        value = value.max(right);
        break;
    }
  }
  return value;
}

isl::set ExpressionRaising::Where(const IndexExpression& condition) const {
  const std::vector<IndexExpression>& operands = condition.operands;
  switch (condition.op) {
    case Op::kNot:
      return Where(operands[0]).complement();
    case Op::kAnd:
    case Op::kOr: {
      isl::set both = Where(operands[0]);
      for (size_t i = 1; i < operands.size(); ++i)
        both = condition.op == Op::kAnd ? both.intersect(Where(operands[i])) : both.unite(Where(operands[i]));
      return both;
    }
    case Op::kEqual:
      return Raise(operands[0]).eq_set(Raise(operands[1]));
    case Op::kLess:
      return Raise(operands[0]).lt_set(Raise(operands[1]));
    case Op::kLessEqual:
      return Raise(operands[0]).le_set(Raise(operands[1]));
    case Op::kGreater:
      return Raise(operands[0]).gt_set(Raise(operands[1]));
    case Op::kGreaterEqual:
      return Raise(operands[0]).ge_set(Raise(operands[1]));
    default:
      return Raise(condition).ne_set(Constant(0));
  }
}

}  // namespace tune
