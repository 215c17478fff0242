// The terms of a sum that is written without parentheses, or in several assignments.
#pragma once

#include <vector>

#include "client/extract/region/region.h"

namespace clang {
class ASTContext;
class BinaryOperator;
class Expr;
}  // namespace clang

namespace tune {

struct SumTerm {
  const clang::Expr* expression;
  bool subtracted;        // the term is its negative
  const LoopNest* scope;  // where it is read
};

// a + b - c ... in the order of the text, of the longest such sum that is calculated in `sum`'s floating
// type: adding the terms from left to right, -c in place of a subtraction, gives the same value in every
// rounding. Where it begins with a variable of this type that stands for a sum (LoopNest::definitions), as
// after r += a; r += b;, the terms of that are the first ones. Of integers, where -c may overflow, and of
// what is no sum: `sum` alone. `scope`: of `sum`; that of each term lives as long.
std::vector<SumTerm> TermsOfSum(const clang::ASTContext& ast, const LoopNest& scope,
                                const clang::BinaryOperator& sum);

}  // namespace tune
