// Where a pointer that moves along an array begins, and how far other pointers into the array are from there.
#pragma once

#include <optional>

#include "client/extract/region/region_variables.h"

namespace tune {

// `distance` elements behind where `base`, an array of numbers or structures or a pointer to them, begins;
// null for none.
struct PointerStart {
  const clang::VarDecl* base;
  clang::Expr* distance;
};

// Of a, a + k, &a[k], and a pointer that the region declares as one of these and never sets, where it sets
// neither `base` nor what a declared pointer has. Nothing for others.
std::optional<PointerStart> StartOf(const clang::ASTContext& ast, const RegionVariables& variables,
                                    clang::Expr& pointer);

// Whether the distance is the same wherever it stands in the region, which sets no variable of it.
bool IsUnchanged(const RegionVariables& variables, const PointerStart& start);

}  // namespace tune
