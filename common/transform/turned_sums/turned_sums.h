// Sums turned (turn_sums.h) where that lets their loops run in blocks (blocked_loops/block_loops.h).
//
// Asks `turned_sums`, on by default, where a loop with such a sum gains by blocks, as solves from the last
// row up do. The order of the blocks is then given. Not with `exact`: sums get another order.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& TurnedSums();

}  // namespace tune
