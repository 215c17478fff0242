// Where the tiles of a kernel lie in shared memory that its launch gives.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// For a kernel that takes more shared memory than it may declare: its tiles lie one behind the other. To run
// after PipelineFills.
void LayOutGivenMemory(DeviceKernel* kernel);

}  // namespace tune
