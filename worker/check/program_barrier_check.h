// Do barriers of a device program order what threads do with tiles in shared memory?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when every barrier is met by all threads of a block or by none; when on every path a barrier stands
// between the fill of a copy of a tile and what reads it, and between what reads it and the next fill of that
// copy; and when asynchronous copies have been waited for before the former. Otherwise FAILED_PRECONDITION.
// That what is read is what was meant is for the check of order. Throws isl::exception.
absl::Status CheckProgramBarriers(const CheckedKernel& checked);

// Whether a thread of the kernel meets a barrier of its block.
bool HasBarrier(const DeviceKernel& kernel);

}  // namespace tune
