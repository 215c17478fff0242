// Updates of an element whose order may be given up.
#pragma once

#include "common/scop/scop.h"

namespace tune {

// Whether the statement is x = x op e, with an associative and commutative op and values that threads of a
// warp can hand to each other.
bool IsUpdate(const ParsedScop& scop, const ParsedStatement& statement);

// Two updates, or one, that may change places where they meet in one element, up to rounding.
bool Commute(const ParsedScop& scop, const ParsedStatement& a, const ParsedStatement& b);

// { S -> S' }: instances that commute and update the same element. Throws isl::exception.
isl::union_map CommutingUpdates(IslContext& context, const ParsedScop& scop);

}  // namespace tune
