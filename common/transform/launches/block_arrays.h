// Arrays of which each block of a launch uses a part of its own.
#pragma once

#include "common/device/device_facts.h"
#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// How many of the array's first subscripts are the tiles' loops, all of them, of the one merged launch that
// uses it, wherever a kernel touches it: a block then needs only the elements of its own tile. 0: it is no
// such array.
int64_t TileSubscripts(const DeviceProgram& program, const HelperNames& names, int array);

// Sets DeviceArray::of_block of local arrays, as far as there is shared memory for what a block needs of
// them. Where a condition makes a tile's number a constant, accesses to such an array have its name again.
void KeepInBlocks(const HelperNames& names, const DeviceFacts& device, DeviceProgram* program);

// Bytes of shared memory that they take in a block of the launch.
int64_t BytesInBlock(const DeviceProgram& program, const MergedLaunch& merged);

// Of the array's part in a block.
int64_t BytesInBlock(const DeviceArray& array, int64_t tile_subscripts);

}  // namespace tune
