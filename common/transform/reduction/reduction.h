// Threads and blocks share out the iterations of a reduction.
//
// Asks, where the kernel has a reduction whose order may be changed and an axis is left beside the mapped
// ones: `.reduction`, serial (each thread runs all iterations), x (neighbouring threads share them out) or y
// (so do threads that are a row apart); then, where atomic operations allow it, `.reduction_blocks`, the
// number of blocks among which they are split first; then `.block_size_N`, the number of threads of a block
// that share them; along x `.reduction_piece`, how many consecutive iterations a thread runs at a time: by
// default as many as one load can read the elements of (wide_loads.h), where consecutive iterations read
// consecutive elements of the largest array, or else one, so that neighbours read them. Adds the axis to the
// kernel's threads, which the mapping makes the tree of. By default threads share it where there are too few
// sums to fill the device.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

const CudaTransformation& ReductionSharing();

// Whether the kernel has a reduction that blocks may share on this device: whose updates it can make as
// atomic operations.
bool BlocksCanAdd(const Kernel& kernel, const DeviceFacts& device);

}  // namespace tune
