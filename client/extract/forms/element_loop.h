// Calls of the library that set or copy elements, as loops: memset(a, 0, n * sizeof *a), std::copy(a, a + n,
// b).
#pragma once

#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace clang {
class ASTContext;
class CallExpr;
class FunctionDecl;
}  // namespace clang

namespace tune {

// Changes the statements of a region, and the tree below them, for as long as it lives. Calls that are
// statements become loops over elements where they are about whole elements of numbers:
//   - memset to zero, and of characters to any value; memcpy between elements of one type;
//   - std::fill, std::fill_n and std::copy of what pointers lead to.
// Several factors of a number of elements are loops inside one another, in the order in which they stand
// unless subscripts of the region tell another one, for values that are not negative; one loop where the
// region has their product as a bound.
class ElementLoops {
 public:
  ElementLoops(const clang::ASTContext& ast, const clang::FunctionDecl& function,
               const Statements& statements);

  const Statements& statements() const { return statements_; }
  // The calls that loops stand for, and sizes of rows that these rely on: another build may have others.
  const Statements& sources() const { return sources_; }

 private:
  Statements statements_, sources_;
  TreeChanges changes_;
};

// Whether the call is one of these functions.
bool SetsElements(const clang::CallExpr& call);

}  // namespace tune
