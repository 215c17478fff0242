// A thread loads neighbouring elements of an array at once, up to 16 bytes, and stores those that it updates.
//
// Asks nothing: wherever that is legal it is better. It is legal where a loop over as many points of a thread
// as a load can have elements reads neighbours in a row of an array that the kernel does not write, or
// updates them in place (updated_in_place.h), and which is read plainly, from where rows, and what is read of
// them, are known to be multiples of so many elements (neighbour_access.h). Arrays begin where cudaMalloc
// would let them begin; the entry points for memory of the device ask for that. Reductions have such loops by
// `.reduction_piece` (reduction.h), others by pieces of points (distribution.h).
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

// Loops (Loop::wide). After all that changes loops.
const CudaTransformation& WideLoads();

}  // namespace tune
