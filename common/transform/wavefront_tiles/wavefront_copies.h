// The form of the sets of elements that tiles copy.
#pragma once

#include <vector>

#include "common/isl/isl.h"

namespace tune {

// The same set, in one piece without integer divisions where the bounds at hand and those of a box around it
// have no further points: loops over it are as plain as they can be. Throws isl::exception.
isl::set InFewPieces(const isl::set& set);

// Parts that have no point in common, as few as are at hand. Throws isl::exception.
std::vector<isl::set> DisjointPieces(const isl::set& set);

}  // namespace tune
