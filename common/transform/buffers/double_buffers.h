// Two copies of each tile in shared memory: one is filled while threads still read the other.
#pragma once

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// Each fill changes the copy that it fills and that is read afterwards. To run before PlaceFillBarriers.
void DoubleBuffers(const HelperNames& names, DeviceKernel* kernel);

}  // namespace tune
