// Subscripts that isl has written in terms of what a condition makes them equal to.
#pragma once

#include <string>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// Gives subscripts of the array their names again where a condition around them says that they are equal to
// those: `if (t0 == 7) A[7]` becomes A[t0], of a coordinate of the thread, x along the last dimension, and
// `if (h0 == 2 * c + 8) A[h0 / 2 - 4]` becomes A[c], of a loop whose bounds are numbers.
void NameSubscripts(const HelperNames& names, const std::string& array, DeviceKernel* kernel);

}  // namespace tune
