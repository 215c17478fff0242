// Statements that set pointers.
#pragma once

#include <vector>

#include "client/extract/tree/body_end.h"

namespace clang {
class CallExpr;
class Expr;
class Stmt;
class VarDecl;
}  // namespace clang

namespace tune {

// What a pointer is set to; all values of one statement are those before it.
struct PointerSetting {
  const clang::VarDecl* pointer;
  const clang::Expr* value;
};

// Of `p = e;` and `std::swap(p, q);`; none for other statements.
std::vector<PointerSetting> PointerSettings(const clang::Stmt& statement);

// Whether that is `std::swap(p, q)` of two variables that are pointers.
bool IsPointerSwap(const clang::CallExpr& call);

}  // namespace tune
