// The two loops around a batch of products become one (coalesce_loops.h), whose rows fill tiles.
//
// Asks `coalesced_loops`, on by default, where tiles of rows have more empty rows in each of the matrices
// than in all of them together: 250 products of 220 rows in tiles of 128 leave 14 of 100 rows of tiles empty,
// one of 55,000 rows next to none.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& CoalescedLoops();

}  // namespace tune
