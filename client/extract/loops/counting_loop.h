// Loops that count in an integer which they do not set, as `for` loops: size_t i = 0; while (i < n) ... i++;
#pragma once

#include "client/extract/region/region_finder.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace clang {
class ASTContext;
}

namespace tune {

// Changes the statements of a region, and the tree below them, for as long as it lives. A `while`, or a `for`
// that sets nothing, whose iterator is an unsigned integer, or one below int, of the function becomes a `for`
// where the loop's step alone changes that and nothing else of the region has it: from what the statement
// before the loop sets it to, or from what it is before the region: while (n--). What wraps around is seen to
// in `for` loops; in signed integers, which do not, LoopForm has all of these.
class CountingLoops {
 public:
  CountingLoops(const clang::ASTContext& ast, const FoundRegion& region);

  const Statements& statements() const { return statements_; }

 private:
  Statements statements_;
  TreeChanges changes_;
};

}  // namespace tune
