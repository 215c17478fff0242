// Matrices whose rows are as long as variables say, as arguments: void g(int n, double a[n][n]).
#pragma once

#include "client/extract/region/region.h"

namespace clang {
class Expr;
class VarDecl;
}  // namespace clang

namespace tune {

// What C converts to the type of the pointer, a parameter of a called function or one of the region's own,
// where it is an array, or a part of one, whose rows are as long as that type says wherever `scope` is
// reached, which has the meaning of the names in the type; else null. `value`: what the pointer is set to.
const clang::Expr* MatrixArgument(Region& region, const LoopNest& scope, const clang::VarDecl& pointer,
                                  const clang::Expr& value);

}  // namespace tune
