// The operators of index expressions in text, and how tightly they bind, as in C.
#pragma once

#include "common/program/index_expression.h"

namespace tune {

// Between two operands, from the left. A higher precedence binds more tightly.
struct InfixOperator {
  IndexExpression::Op op;
  const char* symbol;
  int precedence;
};

// A symbol that another one begins with stands behind that.
inline constexpr InfixOperator kInfixOperators[] = {
    {IndexExpression::Op::kOr, "||", 1},           {IndexExpression::Op::kAnd, "&&", 2},
    {IndexExpression::Op::kEqual, "==", 3},        {IndexExpression::Op::kLessEqual, "<=", 4},
    {IndexExpression::Op::kGreaterEqual, ">=", 4}, {IndexExpression::Op::kLess, "<", 4},
    {IndexExpression::Op::kGreater, ">", 4},       {IndexExpression::Op::kAdd, "+", 5},
    {IndexExpression::Op::kSubtract, "-", 5},      {IndexExpression::Op::kMultiply, "*", 6},
    {IndexExpression::Op::kQuotient, "/", 6},      {IndexExpression::Op::kRemainder, "%", 6},
};
inline constexpr int kSelectPrecedence = 0;  // a ? b : c, from the right
inline constexpr int kUnaryPrecedence = 7;   // -a, !a
inline constexpr int kPostfixPrecedence = 8;

// Written as calls; the most operands of `min` and `max` are as many as there are.
struct CallOperator {
  IndexExpression::Op op;
  const char* name;
  size_t least_operands, most_operands;
};

inline constexpr size_t kAnyOperands = static_cast<size_t>(-1);
inline constexpr CallOperator kCallOperators[] = {
    {IndexExpression::Op::kFloor, "floor", 2, 2},
    {IndexExpression::Op::kMinimum, "min", 2, kAnyOperands},
    {IndexExpression::Op::kMaximum, "max", 2, kAnyOperands},
    {IndexExpression::Op::kToIndex, "index", 1, 1},
};

}  // namespace tune
