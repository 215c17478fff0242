// `switch` as a chain of `if` statements.
#pragma once

#include "client/extract/source/diagnostic.h"

namespace clang {
class ASTContext;
class Stmt;
class SwitchStmt;
}  // namespace clang

namespace tune {

// if (x == 1 || x == 2) { ... } else if (x == 3) { ... } else { ... }, new nodes of `ast` around the text's
// own: what runs into the next case stands in both branches. Null for a `switch` that does nothing. Each case
// has to end with `break` or `continue`, or run into the next one, at the outermost level of the body, and x
// has no side effects.
Accepted<const clang::Stmt*> ReadSwitch(const clang::ASTContext& ast, const clang::SwitchStmt& choice);

}  // namespace tune
