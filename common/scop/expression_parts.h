// The parts of expressions, and expressions of parts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tune/v1/scop.pb.h"

namespace tune {

// Calls visit(part) for each expression that this one is directly made of, in the order of the text.
template <typename Visit>
void ForEachPart(const v1::Expression& expression, const Visit& visit) {
  for (const v1::Expression& operand : expression.operation().operands()) visit(operand);
  for (const v1::Expression& argument : expression.call().arguments()) visit(argument);
  if (expression.has_cast()) visit(expression.cast().operand());
}
// The same with parts that may be changed.
template <typename Visit>
void ForEachPart(v1::Expression* expression, const Visit& visit) {
  if (expression->has_operation())
    for (v1::Expression& operand : *expression->mutable_operation()->mutable_operands()) visit(&operand);
  if (expression->has_call())
    for (v1::Expression& argument : *expression->mutable_call()->mutable_arguments()) visit(&argument);
  if (expression->has_cast()) visit(expression->mutable_cast()->mutable_operand());
}

// `op` of the operands, as Operation.op has it, of this C type.
inline v1::Expression MakeOperation(const std::string& c_type, const std::string& op,
                                    std::vector<v1::Expression> operands) {
  v1::Expression expression;
  expression.set_c_type(c_type);
  expression.mutable_operation()->set_op(op);
  for (v1::Expression& operand : operands)
    *expression.mutable_operation()->add_operands() = std::move(operand);
  return expression;
}

}  // namespace tune
