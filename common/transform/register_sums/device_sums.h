// Sums of a thread's inner loops are kept in registers.
//
// Decides nothing: it is applied to every kernel, where no tile in registers stands for the element
// (register_sums.h). The check proves that nothing else touches the elements meanwhile.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

const CudaTransformation& DeviceSums();

}  // namespace tune
