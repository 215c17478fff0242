// Which points of a block's tile a thread gets.
//
// Asks `.distribution` where threads have several: cyclic, so that neighbours in a warp are neighbours in
// memory; blocked along y and z; blocked along all, so that a thread reads its neighbouring elements of a
// shared tile at once; or in pieces along x, of as many as a thread can read at once, and cyclic along y and
// z. With pieces the threads of a warp read a row of a shared tile from neighbouring banks, and rows that are
// neighbours (the warp tiles of CUTLASS's SIMT products). The mapping makes the tree of it.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

const CudaTransformation& Distribution();

}  // namespace tune
