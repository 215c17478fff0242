// One launch for all kernels.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// In place of the host's launches the blocks of `merged` take the kernels' blocks in turns. A barrier stands
// between two of them when they touch an array that one of them writes; what loops and branches leave open is
// closed inside of them. A launch with fewer threads than the block has runs several of its blocks at the
// same time; a kernel with barriers must have as many.
void MergeLaunches(const MergedLaunch& merged, DeviceProgram* program);

}  // namespace tune
