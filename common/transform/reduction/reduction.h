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
// atomic operations. Not in tiles, each of which one block runs.
bool BlocksCanAdd(const Kernel& kernel, const DeviceFacts& device);

// Neighbouring columns whose sums one thread has by default where blocks and threads along y share a
// reduction: 4 where it stores to them on the way, one store can have them, and they come from memory. On an
// H200 (sums of columns of what is updated, and then of its rows): 4000 x 4000 floats 55.5 -> 48.9 us; 2000 x
// 2000 either way 10.8, 1000 x 1000 6.4 -> 7.4, 4000 x 4000 doubles by 2 columns 103.5 -> 105.6.
// Precondition: the kernel has a reduction and a mapped axis.
int64_t ColumnsOfThread(const KernelSite& site);

}  // namespace tune
