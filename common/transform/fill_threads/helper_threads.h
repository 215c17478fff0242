// Threads that run no instances help to fill tiles in shared memory.
//
// Asks `.fill_threads`, how many threads a block has for each one that runs instances, where tiles stand in
// shared memory, there are long serial loops, and few threads that run them. The mapping adds an axis of the
// block; here the fills are shared out (fill_threads.h). By default as many as make blocks of 512 where the
// threads would wait for the terms of sums.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

const CudaTransformation& HelperThreads();

}  // namespace tune
