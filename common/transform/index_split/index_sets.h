// Statements are split where one of their references meets another (index_split.h).
//
// Asks `index_sets`, split (the default) or whole, where some statement can be split, so that in-place
// updates such as floyd-warshall's have parallel loops.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& IndexSets();

}  // namespace tune
