// Unrolling of a kernel's innermost loops.
//
// Asks `.unroll`, the factor, where threads have such loops: larger ones where helper threads fetch what the
// iterations need. The mapping marks the loops. By default enough loads are in flight, or all of a tile is
// unrolled.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct UnrollFactor {
  int64_t factor = 1;  // 1: none
};

const CudaTransformation& Unroll();

}  // namespace tune
