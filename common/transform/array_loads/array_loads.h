// How a kernel reads the arrays that it does not write.
//
// Asks `.loads_A` of each array that is only read: read_only (the default; the compiler knows that nobody
// writes it), plain, or texture, through a texture object. Where an array does not fit one it stays
// read_only.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

// By the array's name in the scop; of others: ArrayLoads::kReadOnly.
struct LoadsOfArrays {
  std::map<std::string, ArrayLoads> loads;
};

const CudaTransformation& LoadsByArray();

}  // namespace tune
