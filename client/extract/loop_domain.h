// The header of a `for` loop as the set of its iterations.
#pragma once

#include "client/extract/diagnostic.h"
#include "client/extract/region.h"

namespace clang {
class ForStmt;
}

namespace tune {

struct Loop {
  LoopNest nest;      // of the body: the loop's iterator added, its domain restricted to the iterations
  bool decreases;     // the step is negative
  isl::pw_aff first;  // [params, outer] -> { [i] }
  isl::val step;
};

// The iterator takes its source values: a step of 2 from a start s gives s, s + 2, ...; the loop ends before
// the first value for which its condition fails. A condition that never fails is refused, or a bound on the
// parameters that excludes this joins the region's context.
Accepted<Loop> ReadLoop(Region& region, const LoopNest& nest, const clang::ForStmt& loop);

}  // namespace tune
