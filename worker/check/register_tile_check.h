// Do register tiles hold what their references mean, and does it get back?
#pragma once

#include "worker/check/tile_use.h"

namespace tune {

// Of tiles that hold elements of their array. OK when every read through a register tile finds its element
// loaded before, every written element is stored after, to where it belongs, each element once and by one
// thread of the launch, and nothing else of the thread meets such an element in between. Otherwise
// FAILED_PRECONDITION. `uses`: those of the kernel. Throws isl::exception.
absl::Status CheckRegisterTiles(const KernelPlacement& placement, const std::vector<TileUse>& uses,
                                const ParsedScop& scop, const isl::set& values);

}  // namespace tune
