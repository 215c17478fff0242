// Recognises assignments that update an element: x = x + e and its kin.
#pragma once

#include <clang/AST/Type.h>

#include <optional>

#include "client/extract/arrays/access.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// x becomes x `update` operand, or x `update` (-operand).
struct UpdateForm {
  v1::UpdateOperator update;
  const clang::Expr* operand;  // null: the literal 1
  bool negated = false;
  clang::QualType type;  // in which C computes
};

// Nothing when the assignment has none of the forms that v1::UpdateOperator lists, or the form would not keep
// its meaning for the types at hand. Whether `operand` reads the target is left to the caller.
std::optional<UpdateForm> MatchUpdate(Region& region, const LoopNest& nest, const Element& target,
                                      const clang::Expr& assignment);

// As MatchUpdate for `if (condition) x = value;`, or `else` in place of `then` where it does not hold: the
// larger or smaller one of x and a value.
std::optional<UpdateForm> MatchGuardedUpdate(Region& region, const LoopNest& nest, const Element& target,
                                             const Guard& guard, const clang::Expr& assignment);

// In each instance of the statement both are the same element.
bool IsSame(const LoopNest& nest, const Element& a, const Element& b);

// In some instance of the statement both are the same element.
bool MayBeSame(const LoopNest& nest, const Element& a, const Element& b);

}  // namespace tune
