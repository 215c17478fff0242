// Constants of the program as C text.
#pragma once

#include <optional>
#include <string>

#include "tune/v1/scop.pb.h"

namespace clang {
class ASTContext;
class Expr;
}  // namespace clang

namespace tune {

// The value of an expression that has the same value whenever it is computed: a literal as written in the
// source ("0.2", "1.0f"), else the folded value with the suffix of its type ("40UL"); a negative one is the
// negation of a literal. Nothing for other expressions, and for floating-point ones that are not a literal or
// a `const` variable.
std::optional<v1::Expression> ConstantExpression(const clang::ASTContext& ast, const clang::Expr& expression);

}  // namespace tune
