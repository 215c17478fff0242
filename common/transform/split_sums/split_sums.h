// Sums are split into parts that other blocks add up.
//
// Asks `split_sums`, on by default, where some product of matrices has so few elements for the device that
// most multiprocessors would be idle at its end (part_count.h): its partial sums are computed by more blocks,
// and added by a launch of their own. Not with `exact`. The order is then given: nothing else is asked of the
// schedule.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& SplitSums();

}  // namespace tune
