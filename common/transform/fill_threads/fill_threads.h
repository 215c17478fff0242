// Which threads of a block fill tiles in shared memory.
#pragma once

#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// All of them; or, where tiles have two copies and those that run instances are no more than a warp, only the
// others. `share`: threads of the block for each one that runs instances. To run after PipelineFills and
// PlaceFillBarriers.
void AssignFillThreads(int64_t share, const HelperNames& names, DeviceKernel* kernel);

// Short loops over a tile's elements are unrolled as a whole. To run after AssignFillThreads.
void UnrollFills(DeviceKernel* kernel);

}  // namespace tune
