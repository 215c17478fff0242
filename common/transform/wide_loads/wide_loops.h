// Which loops of a kernel can load what they read at once.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// Innermost loops of 2 or 4 iterations, unrolled, load at once what nodes that stand directly in them read of
// arrays of numbers that the kernel does not write, where those are neighbours.
void WidenLoops(const std::vector<DeviceArray>& arrays, DeviceKernel* kernel);

}  // namespace tune
