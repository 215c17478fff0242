// Tiles of what a kernel only reads stand in shared memory, filled by all threads of a block together.
//
// Asks `.shared`: off, on, or opt_in, which is with as much shared memory as the device allows on request.
// The mapping puts tiles and fills into the tree; with opt_in the launch gives the memory, and the tiles are
// laid out in it (given_shared_memory.h). On by default where serial loops use a tile's elements again and
// again, and where arrays are transposed whose blocks' rows and columns are both long (H200, a transposition
// of 3788 x 5339 floats: 343 -> 84 us).
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct SharedTiles {
  bool on = false;
  bool opt_in = false;
};

const CudaTransformation& SharedMemory();

// For one copy of each tile, in all.
int64_t MostTileBytes(const KernelPlan& plan, const DeviceFacts& device);

}  // namespace tune
