// GNU's `x ?: y` as x ? x : y.
#pragma once

#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace clang {
class ASTContext;
}

namespace tune {

// Changes the statements of a region, and the tree below them, for as long as it lives. Where evaluating x
// has side effects all stays as it is.
class ShortChoices {
 public:
  ShortChoices(const clang::ASTContext& ast, const Statements& statements);

  const Statements& statements() const { return statements_; }

 private:
  Statements statements_;
  TreeChanges changes_;
};

}  // namespace tune
