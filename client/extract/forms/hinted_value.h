// Builtins that tell a compiler something about a value, as that value.
#pragma once

#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace clang {
class ASTContext;
}

namespace tune {

// Changes the statements of a region, the functions that they call, and the tree below them, for as long as
// it lives: `__builtin_expect(x, v)`, as macros such as likely() have it, is x, and
// `__builtin_assume_aligned(p, n)` is p where that has the type of which it is used. Where an argument has
// side effects all stays as it is.
class HintedValues {
 public:
  HintedValues(const clang::ASTContext& ast, const Statements& statements);

  const Statements& statements() const { return statements_; }

 private:
  Statements statements_;
  TreeChanges changes_;
};

}  // namespace tune
