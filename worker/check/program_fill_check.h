// Do the threads of a block fill the tiles in shared memory with what they mean?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when each fill has all shared tiles from where they should begin, leaves out or zeroes exactly what lies
// outside of the arrays, and shares out their elements among threads that reach it. Otherwise
// FAILED_PRECONDITION. Throws isl::exception.
absl::Status CheckProgramFills(const CheckedKernel& checked);

}  // namespace tune
