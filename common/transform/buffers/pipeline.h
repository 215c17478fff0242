// Software pipelines: tiles in shared memory are filled some iterations before they are read.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// Gives each tile in shared memory so many copies, where a loop fills and reads the tiles in each of its
// iterations. Iteration n reads copy n mod `copies`, and fills the one that iteration n - 1 has read, for
// iteration n + copies - 1:
//
//   fill for iterations 0 .. copies - 2
//   for n: wait for the fill of n; barrier; fill for n + copies - 1; what reads the tiles
//
// What stands before and behind the loop and does the same for the iterations next to it, which were taken
// out of it, is a part of the pipeline. A loop whose first iteration is not constant comes to count from 0.
// Fills elsewhere stay where they are, in copy 0; where there is no such loop, nothing changes. Asynchronous
// fills are committed iteration by iteration. To run before PlaceFillBarriers; the barriers of pipelines are
// there.
void PipelineFills(int64_t copies, DeviceKernel* kernel);

}  // namespace tune
