// Are launches of tiles those of the mapping's loops over tiles?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when the host's parallel loops begin launches of tiles, with a block for each of their iterations, and
// are the tiles' loops of each kernel that these launch (Kernel::tile_loops); and arrays that blocks have a
// part of are touched by them at that part alone. Otherwise FAILED_PRECONDITION.
absl::Status CheckProgramTiles(const DeviceProgram& program, const MappedProgram& mapped,
                               const HelperNames& names);

}  // namespace tune
