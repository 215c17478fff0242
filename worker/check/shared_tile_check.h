// Do shared tiles hold what their references read?
#pragma once

#include "worker/check/tile_use.h"

namespace tune {

// OK when the last fill before each read through a shared tile put the element that is meant at the index
// that is read, and no thread of the launch writes such an element. Otherwise FAILED_PRECONDITION. `uses`:
// those of the kernel. Throws isl::exception.
absl::Status CheckSharedTiles(const KernelPlacement& placement, const std::vector<TileUse>& uses,
                              const ParsedScop& scop, const isl::set& values);

}  // namespace tune
