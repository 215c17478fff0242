// Do the blocks and threads of a launch have the coordinates that a kernel's body takes them for?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when the threads of a block have each coordinate once, and the blocks of a launch those from the first
// one on, whatever the order of blocks: tried on grids of several sizes, in even and odd iterations of the
// host's loops. Otherwise FAILED_PRECONDITION.
absl::Status CheckProgramCoordinates(const CheckedKernel& checked);

}  // namespace tune
