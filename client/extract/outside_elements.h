// Elements that a region accesses outside of an array.
#pragma once

#include <cstdint>

#include "common/isl/isl.h"

namespace tune {

// Of the elements, [params] -> { A[a, ...] }, those whose subscript in dimension `d` is negative or not less
// than `extent`, where there are some at all values of the parameters that `elements` has elements at: on one
// side of the array alone, if that is enough. Else empty.
isl::set CertainlyOutside(const isl::set& elements, int d, int64_t extent);

}  // namespace tune
