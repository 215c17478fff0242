// Which sizes of tiles and blocks are the default.
#pragma once

#include "common/decision/offer.h"
#include "common/transform/kernel_site.h"

namespace tune {

struct TileSizes {
  int64_t tile = 1, block = 1;
};

// Of the axis `place` (0: x), where there are enough values: warps along x, 256 threads, one point a thread;
// 2 x 2 to 8 x 8 points where a tile's elements are used many times, 4 along the last axis where only
// neighbours share. With one axis, fewer threads when there would not be a block for each multiprocessor: 32
// at least, or 8 where they run recurrences. `tiles`: those that are offered.
TileSizes DefaultTile(const KernelSite& site, size_t place, const NumberOffer& tiles);

}  // namespace tune
