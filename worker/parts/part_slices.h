// Whether the parts of a region can bring back what they write.
#pragma once

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"
#include "worker/parts/divided_region.h"

namespace tune {

// OK where the box that is copied back of each array (ParametricRegion::written of `part`, the scop of that
// region) has no element that other parts of `scop` write. What no part writes may be in it: the box is read
// in before. INVALID_ARGUMENT names an array that has no such box. Errors of ParseScop and of isl.
absl::Status CheckSlices(const v1::Scop& scop, const DividedRegion& divided, const v1::Scop& part);

}  // namespace tune
