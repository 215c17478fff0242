// Pointers that move along an array, as subscripts: *p = x; p++ as p[k] = x; k++.
#pragma once

#include "client/extract/region/region_finder.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace clang {
class ASTContext;
}

namespace tune {

// Changes the statements of a region, and the tree below them, for as long as it lives: of a pointer of the
// function that ++, --, += and -= move, an integer of our own with its name says how far it is from where it
// was before the region, or from what it was set to last. A loop that goes up to `a + n` with a pointer that
// its header sets to `a` is one up to n. Pointers that are read behind the region, or whose value is used
// while they move, stay as they are.
class PointerWalks {
 public:
  PointerWalks(const clang::ASTContext& ast, const FoundRegion& region);

  const Statements& statements() const { return statements_; }

 private:
  Statements statements_;
  TreeChanges changes_;
};

}  // namespace tune
