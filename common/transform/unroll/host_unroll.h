// Unrolling of a kernel's innermost loops on the host.
//
// Asks `.unroll`, the factor, 1 by default: compilers unroll by themselves.
#pragma once

#include "common/transform/openmp_transformation.h"

namespace tune {

const OpenMpTransformation& HostUnroll();

}  // namespace tune
