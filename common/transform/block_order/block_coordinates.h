// Where the coordinates of blocks and threads come from.
#pragma once

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// Defines those that the body mentions, by the numbers that CUDA gives to block and thread. Blocks of a
// launch of its own take their coordinates in `order`; in a linear grid all lie along x.
void DefineCoordinates(BlockOrder order, const HelperNames& names, DeviceKernel* kernel);

}  // namespace tune
