// Which loops of a kernel can load what they read at once.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// Innermost loops of 2 or 4 iterations, unrolled, load at once what nodes that stand directly in them read of
// arrays of numbers that the kernel does not write, where those are neighbours; and of arrays that it writes
// what they update in place (updated_in_place.h), which they store at once, too.
void WidenLoops(const v1::Scop& scop, const std::vector<DeviceArray>& arrays, DeviceKernel* kernel);

}  // namespace tune
