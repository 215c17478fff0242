// Updates of an element whose order may be given up.
#pragma once

#include "common/scop/scop.h"

namespace tune {

// Whether the statement is x = x op e of an x that no data decide, with an associative and commutative op and
// values that threads of a warp can hand to each other.
bool IsUpdate(const ParsedScop& scop, const ParsedStatement& statement);

// Two updates, or one, that may change places where they meet in one element, up to rounding.
bool Commute(const ParsedScop& scop, const ParsedStatement& a, const ParsedStatement& b);

// { [S -> R] -> [S' -> R'] }: targets of atomic updates of one array by one operator. Of floating point only
// where `rounding` may differ. Throws isl::exception.
isl::union_map AtomicUpdatePairs(IslContext& context, const ParsedScop& scop, bool rounding);

// { S -> S' }: instances that commute and update the same element. Throws isl::exception.
isl::union_map CommutingUpdates(IslContext& context, const ParsedScop& scop);

}  // namespace tune
