// The decisions about how a kernel goes to memory.
#pragma once

#include "common/space/cuda_space.h"

namespace tune {

// Asks, each key after the kernel's name (Coding Ants, Table 1): `.loads_A` of each array A that it only
// reads: read_only, plain, texture (ArrayLoads); `.cache`, where the device divides a multiprocessor's
// memory: default, or which part of it is to be shared memory, none, half or all; `.stores`: plain, or atomic
// where the device has atomic operations for what it writes. Errors: the chooser's.
absl::Status ChooseMemory(const Kernel& kernel, const DeviceFacts& device, Chooser& chooser,
                          CudaKernelPlan& plan);

}  // namespace tune
