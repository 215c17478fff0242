// Tiles in shared memory are filled by copies of several elements at once, up to 16 bytes: what one load and
// one store of a thread can move (CUDA C++ Programming Guide, "Device Memory Accesses").
//
// Asks nothing: wherever such copies are legal they are better. They are legal where rows of array and tile,
// and the element that each tile begins with, are known to be multiples of so many elements; then what lies
// outside of the array lies there as a whole. Arrays begin where cudaMalloc would let them begin; the entry
// points for memory of the device ask for that (region_function.h).
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

const CudaTransformation& WideFills();

}  // namespace tune
