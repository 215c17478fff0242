// Barriers around the filling of tiles in shared memory.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// One after each fill, before any thread reads the tiles; and one before it where on some path a thread may
// still read what the tiles had. The latter is never there where tiles have two copies (double_buffers.h): a
// thread may begin with one copy while others still read the other, but not before all have done with the one
// before, which the barrier after the last fill tells.
void PlaceFillBarriers(DeviceKernel* kernel);

}  // namespace tune
