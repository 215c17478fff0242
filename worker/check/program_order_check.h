// Does a thread of a device program keep the order of its schedule tree?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when of two instances that meet the same element of an array that one of them writes, or the same index
// of a tile, the one that the tree runs first is the one that the program runs first; of tiles in shared
// memory, when they meet the same copy; and when what reads such a tile reads the copy that the fill before
// it, in the tree, has filled. Otherwise FAILED_PRECONDITION with an example. Throws isl::exception.
absl::Status CheckProgramOrder(const CheckedKernel& checked);

}  // namespace tune
