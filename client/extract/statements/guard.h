// Conditions that only the running program knows, and what stands under them.
#pragma once

#include <vector>

namespace clang {
class Expr;
class Stmt;
}  // namespace clang

namespace tune {

class RegionVariables;

// What a condition is made of at its outermost level.
struct ConditionParts {
  bool all = true;                        // joined by `&&`; else by `||`
  std::vector<const clang::Expr*> parts;  // from left to right
};
ConditionParts PartsOf(const clang::Expr& condition);

// The condition without `!` before it; `negated` tells whether their number is odd.
const clang::Expr& WithoutNegation(const clang::Expr& condition, bool* negated);

// Of the comparisons and truth values that a condition is made of by `&&`, `||` and `!`, those of integers
// alone, without elements of arrays, members and calls: they may be meant as bounds.
std::vector<const clang::Expr*> IntegerConditions(const clang::Expr& condition);

// Whether the condition can be evaluated again at each assignment in `guarded`: none of them changes what it
// reads, or there is one alone, and no loop around it. Null statements are left out.
bool MayBeRepeated(const RegionVariables& variables, const clang::Expr& condition,
                   const std::vector<const clang::Stmt*>& guarded);

// The plain assignment, with `=`, that a branch consists of, blocks around it aside; null for others.
const clang::Expr* OnlyAssignment(const clang::Stmt* branch);

}  // namespace tune
