// Blocks of threads take tiles of a kernel's coincident loops, and each thread points of a tile (thread
// coarsening).
//
// The mapped members of the root band are its coincident ones, at most three, innermost last. Asks of each, x
// (the last) first, `.tile_size_N` and `.block_size_N` (Coding Ants, Table 1: a block's threads divide its
// tile; what is left is the thread granularity). A block has at most as many threads as the device allows,
// and a thread at most 64 points. The mapping makes the tree of them; loops over points are unrolled here
// (thread_points.h). By default there are warps along x, 256 threads and one point a thread; 2 x 2 to 8 x
// 8 points where a tile's elements are used many times, 4 where only neighbours share.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

// Says which members are mapped, before anything else is decided.
const CudaTransformation& MappedLoops();

// Sizes of tiles and blocks. After the sharing of a reduction, which takes threads from it.
const CudaTransformation& ThreadTiles();

}  // namespace tune
