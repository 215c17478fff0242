// Large arrays that a kernel only reads pass the caches by.
//
// Asks `.streaming`, off (the default) or on, where a kernel has arrays that it only reads. On, those of the
// most dimensions are read as what need not stay in the caches (__ldcs), unless another way was decided for
// them: each of their elements is often read once, and what they evict may be read again.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct StreamingLoads {
  bool on = false;
};

const CudaTransformation& Streaming();

}  // namespace tune
