// Complex numbers in the values of statements.
#pragma once

#include "tune/v1/scop.pb.h"

namespace clang {
class ASTContext;
class CallExpr;
class CastExpr;
class Expr;
}  // namespace clang

namespace tune {

// Whether one side of the conversion is complex and the other is no truth value. Those that C makes unasked
// are written out: other languages do not make them.
bool IsComplexConversion(const clang::CastExpr& cast);

// An operand of an arithmetic operation, without the conversion of a real number to a complex one: gcc and
// clang compute with the real number (C11 G.5).
const clang::Expr& WithoutImaginaryZero(const clang::Expr& operand);

// Whether creal, cimag or conj, or one of them for floats, is called with a complex number.
bool IsPartOfComplex(const clang::CallExpr& call);

// What such a call is worth, of an argument with this value.
v1::Expression PartOfComplex(const clang::ASTContext& ast, const clang::CallExpr& call,
                             v1::Expression argument);

}  // namespace tune
