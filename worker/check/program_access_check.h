// Do the nodes of a device program touch the elements that their instances mean?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when every access of every instance, its affine values, and both sides of every copy are what scop and
// tiles say of them (common/mapping/local_memory.h), and tiles and updates are of their kind. Otherwise
// FAILED_PRECONDITION with the statement and an example. Throws isl::exception.
absl::Status CheckProgramAccesses(const CheckedKernel& checked);

}  // namespace tune
