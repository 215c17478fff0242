// The iterations of a serial loop for which tiles in shared memory are filled at a time.
//
// Asks `.inner_tile`, where tiles stand in shared memory and there are serial loops. The mapping tiles each
// of them by it.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct SerialTileSize {
  int64_t iterations = 1;
};

const CudaTransformation& SerialTiles();

}  // namespace tune
