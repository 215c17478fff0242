// Serial loops that read rows and columns which they update run in blocks of iterations (block_pivots.h).
//
// Asks `pivot_blocks`, on by default, where some loop gains by it. The order is then given: nothing else is
// asked of the schedule.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& PivotBlocks();

}  // namespace tune
