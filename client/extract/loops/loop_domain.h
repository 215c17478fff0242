// A loop as the set of its iterations.
#pragma once

#include <map>

#include "client/extract/loops/loop_form.h"
#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"

namespace tune {

struct Loop {
  LoopNest nest;      // of the body: the loop's iterator added, its domain restricted to the iterations
  bool decreases;     // the step is negative
  isl::pw_aff first;  // [params, outer] -> { [i] }
  isl::val step;
  isl::pw_aff behind;  // [params, outer] -> { [i] }: the iterator when the loop has ended
  isl::pw_aff trips;   // [params, outer] -> { [number] }: of iterations, where no `break` ends the loop
  std::map<const clang::VarDecl*, isl::pw_aff> advanced = {};  // derived variables, when it has ended
};

// The iterator takes its source values: a step of 2 from a start s gives s, s + 2, ...; the loop ends before
// the first value for which its condition fails, or behind the first iteration that reaches a `break`. A
// condition that never fails is refused, or a bound on the parameters that excludes this joins the region's
// context. Where the form has no start the iterator is one of LoopNest::affine_locals.
Accepted<Loop> ReadLoop(Region& region, const LoopNest& nest, const LoopForm& form);

// The number of iterations before that of the iterator's value: [params, outer, i] -> { [number] }.
isl::pw_aff RoundsBefore(const Region& region, const Loop& loop);

}  // namespace tune
