// The decisions about one kernel of the `cuda` target.
#pragma once

#include "common/space/cuda_space.h"

namespace tune {

// Asks, in this order, each key after the kernel's name: the reduction's (cuda_reduction_walk.h); for each
// mapped member, x (the last) first, `.tile_size_N` and `.block_size_N` (Coding Ants, Table 1: a block's
// threads divide its tile; what is left is the thread granularity); `.distribution`, which of them a thread
// gets: cyclic, blocked along y and z, or blocked along all; those of cuda_local_memory_walk.h; `.unroll`,
// `.min_blocks`; then those of cuda_memory_walk.h. Each only when it can make a difference. A block has at
// most as many threads as the device allows, and a thread at most 64 points. Pure: uses the kernel's facts
// and the device's alone.
absl::StatusOr<CudaKernelPlan> WalkCudaKernel(const Kernel& kernel, const CudaSpaceOptions& options,
                                              Chooser& chooser);

}  // namespace tune
