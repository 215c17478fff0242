// Expressions that do several things, or one under a condition, as statements: a = 1, b = 2; as a = 1; b = 2;
#pragma once

#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace clang {
class ASTContext;
}

namespace tune {

// Changes the statements of a region, and the tree below them, for as long as it lives. Where nobody has the
// value, `a, b` is a and then b, in the same list of statements; `c ? a : b`, `c && a` and `c || b` are `if`
// statements, as assert() is made of them; `(void)a` and ({ a; }) are a.
class PlainStatements {
 public:
  PlainStatements(const clang::ASTContext& ast, const Statements& statements);

  const Statements& statements() const { return statements_; }

 private:
  Statements statements_;
  TreeChanges changes_;
};

}  // namespace tune
