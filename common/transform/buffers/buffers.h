// Copies of each tile in shared memory: some are filled for later iterations while threads read another
// (software pipelining; with asynchronous fills the multistage pipelines of CUTLASS).
//
// Asks `.buffers` where tiles are filled again and again: 1 or 2, with asynchronous fills up to 4. Applied to
// the program (pipeline.h). By default three with asynchronous fills, where there is room; else two where
// helper threads fill them and there is something to fetch ahead.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct TileBuffers {
  int64_t copies = 1;  // of each tile
};

const CudaTransformation& Buffers();

}  // namespace tune
