// Which points of a block's tile a thread gets.
//
// Asks `.distribution` where threads have several: cyclic, so that neighbours in a warp are neighbours in
// memory; blocked along y and z; or blocked along all, so that a thread reads its neighbouring elements of a
// shared tile at once. The mapping makes the tree of it.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

const CudaTransformation& Distribution();

}  // namespace tune
