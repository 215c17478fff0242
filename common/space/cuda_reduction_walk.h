// The decisions about a kernel's reduction.
#pragma once

#include "common/space/cuda_limits.h"
#include "common/space/cuda_space.h"

namespace tune {

// Whether the kernel has a reduction that blocks may share on this device: whose updates it can make as
// atomic operations.
bool BlocksCanAdd(const Kernel& kernel, const DeviceFacts& device);

// Where the kernel has a reduction, threads may share it (CudaSpaceOptions::exact) and there is an axis left
// beside the mapped `plan.axes`, asks `.reduction`: serial (each thread runs all iterations), x (neighbouring
// threads share them out) or y (so do threads that are a row apart); then, where atomic operations allow it,
// `.reduction_blocks`, the number of blocks among which they are split first; then `.block_size_N`, the
// number of threads of a block that share them; adds the axis. Errors: the chooser's.
absl::Status ChooseReduction(const Kernel& kernel, const CudaSpaceOptions& options, Chooser& chooser,
                             CudaBudget& budget, CudaKernelPlan& plan);

}  // namespace tune
