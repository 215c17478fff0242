// Assignments as statements of the scop: accesses, update form, value.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "client/extract/arrays/access.h"
#include "client/extract/arrays/array_table.h"
#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Where a statement of the scop stands.
struct StatementPlace {
  std::string name;      // S0, S1, ...
  const LoopNest& nest;  // around it
};

// True for =, the compound assignments, ++ and --.
bool IsAssignment(const clang::Expr& expression);

// Of `a = b = e` the `b = e`, else null. It is a statement of its own, and comes first.
const clang::Expr* InnerAssignment(const clang::Expr& assignment);

// `assignment` satisfies IsAssignment. Updates are brought to the form that UpdateOperator describes, where
// that keeps the meaning: the other operand does not read the element, and the element is not an integer that
// is updated with floating-point arithmetic. Under guards the element gets the value that it has where they
// do not hold. What it accesses joins `arrays`.
Accepted<v1::Statement> ReadAssignment(Region& region, const StatementPlace& place, ArrayTable& arrays,
                                       const clang::Expr& assignment);

// `if (condition) x = e; else x = f;` as x = condition ? e : f. Nothing where the two assignments, with `=`,
// are not of the same element.
std::optional<Accepted<v1::Statement>> ReadEitherAssignment(Region& region, const StatementPlace& place,
                                                            ArrayTable& arrays, const clang::Expr& condition,
                                                            const clang::Expr& then,
                                                            const clang::Expr& otherwise);

// `variable` becomes 1 where `kept`, whose conditions are of the text at `use`, and the guards of the nest
// hold, else 0.
Accepted<v1::Statement> ReadConditionValue(Region& region, const StatementPlace& place, ArrayTable& arrays,
                                           const Guard& kept, clang::SourceRange use,
                                           const clang::VarDecl& variable);

// `double t = value;`, or the parameter t of a function that is called with this value.
Accepted<v1::Statement> ReadInitializer(Region& region, const StatementPlace& place, ArrayTable& arrays,
                                        const clang::VarDecl& variable, const clang::Expr& value);

// `t[1][2]` of a declaration of t with a list, null for an element that it does not name.
Accepted<v1::Statement> ReadElementInitializer(Region& region, const StatementPlace& place,
                                               ArrayTable& arrays, const clang::VarDecl& variable,
                                               const std::vector<int64_t>& subscripts,
                                               const clang::Expr* value);

// `double t;`, `double t[10];`
v1::Statement MakeKill(Region& region, const StatementPlace& place, ArrayTable& arrays,
                       const clang::VarDecl& variable);

}  // namespace tune
