// Integers that advance in loops inside one another, as functions of the iterators: k++ as i * m + j.
#pragma once

#include "client/extract/region/region_finder.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace clang {
class ASTContext;
}

namespace tune {

// Changes the statements of a region, and the tree below them, for as long as it lives. Where an integer of
// the function advances by the same number in each iteration of a nest of `for` loops whose inner ones have a
// number of iterations that the region does not change, is not looked at behind the nest, and not between its
// loops, its uses are what it was before the nest plus the iterators' distances from their starts, each times
// what an iteration adds: a product of parameters and iterators, which only subscripts of matrices in one
// dimension may have (flat_offset.h). So this is for regions that are refused without it.
class NestWalks {
 public:
  NestWalks(const clang::ASTContext& ast, const FoundRegion& region);

  // Whether anything is changed.
  bool any() const { return any_; }

 private:
  bool any_ = false;
  TreeChanges changes_;
};

}  // namespace tune
