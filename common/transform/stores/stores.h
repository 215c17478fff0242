// How a kernel writes its arrays.
//
// Asks `.stores`: plain (the default) or atomic, where elements have 4 or 8 bytes: each store becomes an
// atomic exchange, and what threads add up together an atomic addition also where one block adds alone. There
// are no atomic exchanges of fewer bytes.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct AtomicStores {
  bool on = false;
};

const CudaTransformation& Stores();

}  // namespace tune
