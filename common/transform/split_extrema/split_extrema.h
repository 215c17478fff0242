// Searches for a largest or smallest value and where it is are split into parts, among which the best is
// found (split_nest.h).
//
// Asks `split_extrema`, on by default, where a nest of loops that no other loop is around keeps such a value,
// a few thousand iterations or more. Results are the same bit for bit, also with `exact`.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& SplitExtrema();

}  // namespace tune
