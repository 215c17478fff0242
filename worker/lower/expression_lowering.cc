#include "worker/lower/expression_lowering.h"

#include <limits>

#include "common/isl/ast.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

Op OperatorOf(isl_ast_expr_op_type type) {
  switch (type) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
      return Op::kAnd;
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
      return Op::kOr;
    case isl_ast_expr_op_add:
      return Op::kAdd;
    case isl_ast_expr_op_sub:
      return Op::kSubtract;
    case isl_ast_expr_op_mul:
      return Op::kMultiply;
    case isl_ast_expr_op_div:
    case isl_ast_expr_op_pdiv_q:
      return Op::kQuotient;
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r:
      return Op::kRemainder;
    case isl_ast_expr_op_fdiv_q:
      return Op::kFloor;
    case isl_ast_expr_op_eq:
      return Op::kEqual;
    case isl_ast_expr_op_le:
      return Op::kLessEqual;
    case isl_ast_expr_op_lt:
      return Op::kLess;
    case isl_ast_expr_op_ge:
      return Op::kGreaterEqual;
    case isl_ast_expr_op_gt:
      return Op::kGreater;
    case isl_ast_expr_op_min:
      return Op::kMinimum;
    case isl_ast_expr_op_max:
      return Op::kMaximum;
    case isl_ast_expr_op_minus:
      return Op::kNegate;
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select:
      return Op::kSelect;
    default:
      throw isl::exception("code generation: unexpected operator in a generated loop nest");
  }
}

int64_t ValueOf(const isl::ast_expr_int& constant) {
  const isl::val value = constant.val();
  const isl::val least(value.ctx(), std::numeric_limits<long>::min());
  const isl::val most(value.ctx(), std::numeric_limits<long>::max());
  if (!value.is_int() || value.lt(least) || value.gt(most))
    throw isl::exception("code generation: a constant of more than 64 bits in a generated loop nest");
  return value.num_si();
}

}  // namespace

ExpressionLowering::ExpressionLowering(const std::map<std::string, int64_t>& parameter_values) {
  for (const auto& [name, value] : parameter_values) Set(name, IndexExpression::Constant(value));
}

IndexExpression ExpressionLowering::Lower(const isl::ast_expr& expression) const {
  if (expression.isa<isl::ast_expr_int>())
    return IndexExpression::Constant(ValueOf(expression.as<isl::ast_expr_int>()));
  if (expression.isa<isl::ast_expr_id>()) return LowerName(expression.as<isl::ast_expr_id>().id().name());
  const auto operation = expression.as<isl::ast_expr_op>();
  std::vector<IndexExpression> operands;
  for (unsigned i = 0; i < operation.n_arg(); ++i) operands.push_back(Lower(operation.arg(i)));
  return IndexExpression::Of(OperatorOf(OperatorType(operation)), std::move(operands));
}

std::vector<IndexExpression> ExpressionLowering::Lower(const std::vector<isl::ast_expr>& expressions) const {
  std::vector<IndexExpression> lowered;
  for (const isl::ast_expr& expression : expressions) lowered.push_back(Lower(expression));
  return lowered;
}

ElementAccess ExpressionLowering::LowerAccess(const isl::ast_expr& access,
                                              const std::vector<int>& loops) const {
  const auto operation = access.as<isl::ast_expr_op>();
  ElementAccess lowered;
  lowered.array = operation.arg(0).as<isl::ast_expr_id>().id().name();
  for (unsigned i = 1; i < operation.n_arg(); ++i) {
    const int loop = i <= loops.size() ? loops[i - 1] : -1;
    lowered.subscripts.push_back(loop < 0 ? Lower(operation.arg(i)) : LowerName(loops_.at(loop)));
  }
  return lowered;
}

IndexExpression ExpressionLowering::LowerName(const std::string& name) const {
  const auto value = values_.find(name);
  return value == values_.end() ? IndexExpression::Name(name) : value->second;
}

}  // namespace tune
