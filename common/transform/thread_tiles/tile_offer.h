// Which sizes of tiles and blocks there are.
#pragma once

#include "common/decision/offer.h"
#include "common/transform/kernel_site.h"

namespace tune {

// Whether the kernel runs in tiles of time that have several axes, with a thread of a block for each of a
// tile's points: all that there are along an axis is then offered as well.
bool HasThreadsForAll(const KernelSite& site);

// Of the axis `place` (0: x), whose sizes are not decided yet. Tiles are no larger than they need be to hold
// all values, nor than the threads and points that are left.
NumberOffer OfferTiles(const KernelSite& site, size_t place);

// Of the same axis, whose tile is to have that size.
NumberOffer OfferBlocks(const KernelSite& site, size_t place, int64_t tile);

}  // namespace tune
