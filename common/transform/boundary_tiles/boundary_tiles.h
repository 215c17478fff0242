// Blocks whose tiles reach over the edge of the arrays, apart from those whose threads need no conditions.
//
// Decides nothing: it is applied to every kernel whose root band is innermost. Where shared memory and
// registers hold all that its statements touch, all blocks run full tiles (padding.h); else full blocks and
// the others have code of their own (full_blocks.h), where one of them has something to gain.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

const CudaTransformation& BoundaryTiles();

}  // namespace tune
