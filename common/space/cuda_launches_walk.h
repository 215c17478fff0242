// The decision about how the region's kernels are launched.
#pragma once

#include "common/space/cuda_space.h"

namespace tune {

// Where there is more than one launch, asks `launches`: separate (each by the host), one_block (one launch of
// one block runs all, with barriers between), grid (the same with as many blocks as the device holds at
// once) or graph (a CUDA graph of the launches; the default of kernels below host loops that are too large
// for one launch). One block and grid need blocks of one size wherever a kernel has barriers of its own, and
// no kernel that opts in to more shared memory; a grid needs a device whose blocks can wait for each other;
// one block is for launches of at most a million iterations. Sets plan.launches; errors: the chooser's.
absl::Status ChooseLaunches(const DeviceFacts& device, Chooser& chooser, CudaPlan& plan);

// Threads of a block when one launch runs all: those of the kernels that have barriers, else as many as
// the device allows.
int64_t CommonThreads(const CudaPlan& plan, const DeviceFacts& device);

}  // namespace tune
