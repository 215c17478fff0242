// Are the iterations of loops over tiles independent?
#pragma once

#include "worker/check/placement.h"

namespace tune {

// OK when no dependence of `pairs`, { S -> S' }, connects two tiles (Kernel::tile_loops) of the same
// iteration of the loops around: blocks run them in any order. Otherwise FAILED_PRECONDITION with an example.
// Throws isl::exception.
absl::Status CheckTileLoops(const std::vector<KernelPlacement>& placements, const isl::union_map& pairs);

}  // namespace tune
