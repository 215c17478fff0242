// One launch in place of several.
#pragma once

#include <functional>

#include "common/base/status.h"
#include "common/program/device_program.h"

namespace tune {

// In place of the host's launches of the kernels that `merges` names, with the loops and branches that run
// nothing else, launches of the form of `merged`, in which blocks take the kernels' blocks in turns: one for
// what stands next to each other. A barrier stands between two kernels when they touch an array that one of
// them writes; what loops and branches leave open is closed inside of them. A launch with fewer threads than
// the block has runs several of its blocks at the same time; a kernel with barriers must have as many.
void MergeLaunches(const MergedLaunch& merged, const std::function<bool(int kernel)>& merges,
                   DeviceProgram* program);

// In place of each nest of parallel loops of the host, and the launches in it, one launch with a block for
// each of their iterations; `merged` has its function's name and the threads of a block. The loops' bounds
// must be numbers, and the loops a nest (tile_nests.h): else INVALID_ARGUMENT.
absl::Status MergeTiles(const MergedLaunch& merged, DeviceProgram* program);

}  // namespace tune
