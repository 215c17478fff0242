// Does a kernel of a device program run what its schedule tree runs?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when each thread runs each instance that the tree has for it once, of the scop's statements and of
// copies, and nothing else. Otherwise FAILED_PRECONDITION with an example. Throws isl::exception.
absl::Status CheckProgramInstances(const CheckedKernel& checked);

}  // namespace tune
