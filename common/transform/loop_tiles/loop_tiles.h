// Tiles of the loops of each band, for the caches.
//
// Asks `.tile_size_N` for the members of a kernel's root band and `.bI.tile_size_N` for those of band I
// below, where the band is permutable and tiles can make a difference; 0: the member is not tiled. By default
// 32 where computed loops touch more than the cache holds; loops that are the region's own are not tiled.
#pragma once

#include "common/transform/openmp_transformation.h"

namespace tune {

struct BandTiles {
  std::vector<std::vector<int64_t>> sizes;  // of each band's members; 0, or missing: not tiled
};

const OpenMpTransformation& LoopTiles();

}  // namespace tune
