// Warps compute products by matrix instructions, of floats that are split in two numbers of TF32 each.
//
// Asks `.tensor_cores`, off or tf32x3 (by default), where that is asked for (StudySpec.tf32x3), the device
// has such instructions, and a kernel's threads can be arranged so: those of a product, which sum in
// registers what stands in shared memory, with two points at least along x and y. What becomes of it is a
// property of loops (Loop::warp_product, common/program/warp_product.h): of those whose points are all there,
// around which nothing depends on the thread. All others, along a triangle's edge or behind the last whole
// tile of the sum, stay as they are.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct TensorCoreProducts {
  bool on = false;
};

// Whether the kernel may be such a product, by all but where its elements stand, which is decided later than
// threads' tiles.
bool CanMakeWarps(const KernelSite& site);

// Asks. After all that says how threads work on tiles.
const CudaTransformation& TensorCores();

// Says which loops are computed so. Before points are unrolled.
const CudaTransformation& WarpProducts();

}  // namespace tune
