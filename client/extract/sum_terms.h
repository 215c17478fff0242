// The terms of a sum that is written without parentheses.
#pragma once

#include <vector>

namespace clang {
class ASTContext;
class BinaryOperator;
class Expr;
}  // namespace clang

namespace tune {

struct SumTerm {
  const clang::Expr* expression;
  bool subtracted;  // the term is its negative
};

// a + b - c ... in the order of the text, of the longest such sum that is calculated in `sum`'s floating
// type: adding the terms from left to right, -c in place of a subtraction, gives the same value in every
// rounding. Of integers, where -c may overflow, and of what is no sum: `sum` alone.
std::vector<SumTerm> TermsOfSum(const clang::ASTContext& ast, const clang::BinaryOperator& sum);

}  // namespace tune
