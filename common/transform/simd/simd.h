// Iterations of innermost loops run in the lanes of vectors (OpenMP's simd).
//
// Asks `.simd`, on by default, where the iterations of some innermost loop are independent.
#pragma once

#include "common/transform/openmp_transformation.h"

namespace tune {

struct SimdLoops {
  bool on = false;
};

const OpenMpTransformation& Simd();

}  // namespace tune
