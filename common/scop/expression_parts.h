// The parts of expressions, and expressions of parts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/array/element_type.h"
#include "common/program/statement_value.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Operators of complex numbers that have no words in C: those of gcc and clang. Their "~" is the conjugate.
inline constexpr char kRealPart[] = "__real__", kImaginaryPart[] = "__imag__";

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

// Whether it may be worth what its type cannot hold: compilers compute _Float16 in float where the processor
// has no such operations, and round what is stored or converted alone (C11 5.2.4.2.2p9).
inline bool MayExceedType(const v1::Expression& value) {
  const bool is_stored = value.has_cast() || value.kind_case() == v1::Expression::kAccess ||
                         value.operation().op() == kElementOf;
  return value.c_type() == kHalfType && !is_stored;
}

// The value as it is once stored in an object of this C type.
inline v1::Expression ConvertedTo(const std::string& c_type, v1::Expression value) {
  if (value.c_type() == c_type && !MayExceedType(value)) return value;
  v1::Expression cast;
  cast.set_c_type(c_type);
  cast.mutable_cast()->set_c_type(c_type);
  *cast.mutable_cast()->mutable_operand() = std::move(value);
  return cast;
}

}  // namespace tune
