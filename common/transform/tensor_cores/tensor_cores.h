// Warps compute products by matrix instructions, of floats that are split in two numbers of TF32 each, or of
// numbers of binary16, which are added in float.
//
// Asks `.tensor_cores`, off or tf32x3, of halves off or f16 (the second by default), where that is asked for
// (MatrixProducts), the device has such instructions, and a kernel's threads can be arranged so: those of a
// product, which sum in registers what stands in shared memory, with two points at least along x and y. What
// becomes of it is a property of loops (Loop::warp_product, common/program/warp_product.h): of those whose
// points are all there, around which nothing depends on the thread. All others, along a triangle's edge or,
// of floats, behind the last whole tile of the sum, stay as they are.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct TensorCoreProducts {
  enum class Of { kNone, kFloats, kHalves };
  Of of = Of::kNone;
  bool on() const { return of != Of::kNone; }
};

// What products the kernel may be of, by all but where its elements stand and threads' points lie, which is
// decided later than threads' tiles.
TensorCoreProducts::Of MatrixProductsOf(const KernelSite& site);

// Asks. After all that says how threads work on tiles.
const CudaTransformation& TensorCores();

// Says which loops are computed so. Before points are unrolled.
const CudaTransformation& WarpProducts();

}  // namespace tune
