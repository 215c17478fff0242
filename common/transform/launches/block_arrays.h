// Arrays of which each block of a launch uses a part of its own.
#pragma once

#include "common/device/device_facts.h"
#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// Sets DeviceArray::of_block of local arrays (common/program/tile_subscripts.h), as far as there is shared
// memory for what a block needs of them, and DeviceArray::of_thread of those of which each thread uses
// elements of its own (common/program/thread_subscripts.h), as far as there are registers. Where a condition
// makes a tile's number a constant, accesses to such an array have its name again.
void KeepInBlocks(const HelperNames& names, const DeviceFacts& device, DeviceProgram* program);

}  // namespace tune
