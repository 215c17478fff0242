// Are the iterations of loops over tiles independent?
#pragma once

#include "common/dependence/dependence.h"
#include "worker/check/placement.h"

namespace tune {

// OK when no dependence connects two tiles (Kernel::tile_loops) of the same iteration of the loops around:
// blocks run them in any order; and no value of a local array that tiles alone use comes from another
// iteration of these loops, as blocks may keep such arrays to themselves, which end with the launch.
// Otherwise FAILED_PRECONDITION with an example. Throws isl::exception.
absl::Status CheckTileLoops(const std::vector<KernelPlacement>& placements, const ParsedScop& scop,
                            const Dependences& dependences, const isl::set& values);

}  // namespace tune
