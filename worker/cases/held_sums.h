// Sums of a thread's points in variables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "common/scop/scop.h"
#include "worker/cases/parametric_kernel.h"

namespace tune {

// Whether each statement of `thread`, { S } at a thread's point, updates one element there, of an array that
// no other of them accesses, by what tiles of `caches` and scalars hold: at points where it does not run that
// may be computed, too. Throws isl::exception.
bool OnlySumUp(const ParsedScop& scop, const isl::union_set& thread, const std::vector<CachedArray>& caches);

// One of the statement's instances in `thread`, { S } at a thread's point, wherever there are some: where all
// of them update one element, it tells which.
isl::union_set OneInstance(const isl::union_set& thread, const ParsedStatement& statement);

// How variables are called: what their arrays begin with, and the name of a point's number.
struct HeldNames {
  std::string sum, point;
};

// `iteration`: what an iteration of the strip's loop is at the thread's point; `lower`: makes a block of some
// instances. Empty where the iteration has conditions or loops. Precondition: OnlySumUp. Throws
// isl::exception.
HeldSums HoldSums(const ParsedScop& scop, const isl::union_set& thread, Block iteration,
                  const std::function<Block(const isl::union_set&)>& lower, const HeldNames& names);

}  // namespace tune
