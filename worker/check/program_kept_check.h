// Is what stands in variables touched by no other name meanwhile?
#pragma once

#include "worker/check/checked_kernel.h"

namespace tune {

// OK when inside of each scope only instances run, some of which touch what it keeps as it is written there,
// always the same element, and the others other elements. Else FAILED_PRECONDITION. Throws isl::exception.
absl::Status CheckKeptElements(const CheckedKernel& checked);

}  // namespace tune
