// The barriers of a mapped kernel: where all threads of a block wait for each other.
#pragma once

#include "worker/check/placement.h"

namespace tune {

// Those of `pairs`, { S -> S' } on different threads of a block, between whose instances the block meets no
// barrier: { S -> S' }. Throws isl::exception.
isl::union_map WithoutBarrier(const KernelPlacement& placement, const isl::union_map& pairs);

// OK when every statement at which threads wait for each other is met by all threads of a block or by none;
// otherwise FAILED_PRECONDITION with an example. Throws isl::exception.
absl::Status CheckBarriers(const KernelPlacement& placement);

}  // namespace tune
