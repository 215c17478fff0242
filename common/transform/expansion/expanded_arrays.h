// Temporaries that iterations reuse become arrays with a copy for each iteration (expansion.h).
//
// Asks `expansion`, on by default, where some array can be expanded within a size, so that loops become
// parallel.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& ExpandedArrays();

}  // namespace tune
