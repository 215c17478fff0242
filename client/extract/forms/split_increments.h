// Increments inside of assignments and declarations as statements of their own: a[k++] = x as a[k] = x; k++.
#pragma once

#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace tune {

// Changes the statements of a region, and the tree below them, for as long as it lives. Of an assignment that
// is a statement, and of what a variable is declared with, ++ and -- of the function's own integers and
// pointers, which it mentions once and evaluates in any case, come before it (++k) or behind it (k++), in the
// same list of statements. Others stay.
class SplitIncrements {
 public:
  SplitIncrements(const clang::ASTContext& ast, const Statements& statements);

  const Statements& statements() const { return statements_; }

 private:
  Statements statements_;
  TreeChanges changes_;
};

}  // namespace tune
