// Elements that a thread writes again and again stay in registers meanwhile.
//
// Asks `.registers`, on (by default) or off, where a thread has serial loops. The mapping decides which
// elements these are, and puts what loads and stores them into the tree. One thread alone keeps what it can
// without being told.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct RegisterTiles {
  bool on = false;
};

const CudaTransformation& Registers();

}  // namespace tune
