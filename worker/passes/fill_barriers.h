// Barriers around the filling of tiles in shared memory.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// One after each fill, before any thread reads the tiles, where its asynchronous copies are waited for; and
// one before it where on some path a thread may still read what the tiles had. Fills that run ahead have the
// former where their iteration begins (pipeline.h).
void PlaceFillBarriers(DeviceKernel* kernel);

}  // namespace tune
