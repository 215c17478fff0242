// Which loops of a kernel can load what they read ahead.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// Innermost loops of step 1, not unrolled, that are not known to be shorter than twice `iterations` load
// that many ahead what nodes that stand directly in them read of arrays that the kernel does not write, where
// the loop's iterator says which element it is.
void LoadAhead(const std::vector<DeviceArray>& arrays, int64_t iterations, DeviceKernel* kernel);

}  // namespace tune
