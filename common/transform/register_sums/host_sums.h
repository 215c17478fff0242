// Sums of inner loops are kept in variables on the host.
//
// Decides nothing: it is applied to every program (register_sums.h).
#pragma once

#include "common/transform/openmp_transformation.h"

namespace tune {

const OpenMpTransformation& HostSums();

}  // namespace tune
