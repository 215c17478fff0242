// Barriers around the filling of tiles in shared memory.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// One after each fill, before any thread reads the tiles, and one before it, when no thread reads any more
// what the tiles had. The latter is not there where tiles have two copies (double_buffers.h): a thread may
// begin with one copy while others still read the other, but not before all have done with the one before,
// which the barrier after the last fill tells.
void PlaceFillBarriers(DeviceKernel* kernel);

}  // namespace tune
