// Two copies of each tile in shared memory: one is filled while threads still read the other.
//
// Asks `.buffers`, 1 or 2, where tiles are filled again and again. Applied to the program (double_buffers.h).
// Two by default where helper threads fill them and there is something to fetch ahead.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct TileBuffers {
  int64_t copies = 1;  // of each tile
};

const CudaTransformation& Buffers();

}  // namespace tune
