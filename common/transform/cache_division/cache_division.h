// How a multiprocessor's memory is divided into shared memory and L1 cache while a kernel runs.
//
// Asks `.cache` where the device has one memory for both: default (the driver decides), l1, half or shared.
// CUDA C++ Programming Guide, "Shared Memory" of compute capabilities 7.x and later.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct Carveout {
  int percent = -1;  // that is to be shared memory; -1: the driver decides
};

const CudaTransformation& CacheDivision();

}  // namespace tune
