// Can warps compute the loops that they are to compute by matrix instructions?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when each loop with Loop::warp_product is such a product (FindWarpProduct), which all threads of a warp
// reach together; and when threads do not combine values of their own, which they would as they are numbered.
// How they are arranged is in program_coordinates_check.h. Else FAILED_PRECONDITION.
absl::Status CheckWarpProducts(const CheckedKernel& checked);

}  // namespace tune
