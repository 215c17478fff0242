// May loops load ahead what they say?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when each loop that loads ahead (Loop::ahead) is of step 1 with a canonical condition and holds nothing
// but statements and conditions, and what it fetches are elements that statements read which stand directly
// in it, so that each iteration reads them and all lie within their arrays, of arrays that the kernel does
// not write: nobody writes them while it runs. Where it loads at once (Loop::wide), it has just the
// iterations that are loaded, and the elements are neighbours; then it may fetch of arrays that the kernel
// writes what it updates in place and stores at once as well (Loop::collected, updated_in_place.h). Else
// FAILED_PRECONDITION.
absl::Status CheckLoadsAhead(const CheckedKernel& checked);

}  // namespace tune
