// Do the partial values of reductions reach their elements?
#pragma once

#include "worker/check/tile_use.h"

namespace tune {

// Of tiles of partial values (LocalTile::combined_by). OK when only updates by the tile's operator use them,
// the block combines them after that, and then one thread of the launch accumulates each element, once.
// Otherwise FAILED_PRECONDITION. `uses`: those of the kernel. Throws isl::exception.
absl::Status CheckPartialTiles(const KernelPlacement& placement, const std::vector<TileUse>& uses);

}  // namespace tune
