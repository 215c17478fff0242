// Blocks that a multiprocessor must have room for, which limits a thread's registers.
//
// Asks `.min_blocks` where a thread has much to keep: left to itself (0, the default) the compiler may spill
// registers rather than have fewer blocks, or the other way round. CUDA C++ Programming Guide, "Launch
// Bounds".
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct LaunchBound {
  int64_t min_blocks = 0;  // 0: the compiler decides
};

const CudaTransformation& LaunchBounds();

}  // namespace tune
