// Increments inside of assignments as statements of their own: a[k++] = x as a[k] = x; k++.
#pragma once

#include <utility>
#include <vector>

#include "client/extract/body_end.h"

namespace tune {

// Changes the statements of a region, and the tree below them, for as long as it lives. Of an assignment that
// is a statement, ++ and -- of the function's own integers, which it mentions once and evaluates in any case,
// come before it (++k) or behind it (k++). Others stay.
class SplitIncrements {
 public:
  SplitIncrements(const clang::ASTContext& ast, const Statements& statements);
  ~SplitIncrements();
  SplitIncrements(const SplitIncrements&) = delete;
  SplitIncrements& operator=(const SplitIncrements&) = delete;

  const Statements& statements() const { return statements_; }

 private:
  Statements statements_;
  std::vector<std::pair<clang::Stmt**, clang::Stmt*>> changed_;  // places in the tree, and what was there
};

}  // namespace tune
