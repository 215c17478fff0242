// How many points a set has, without going through them.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// The number of integer points of `set`, which has no parameters; infinity when it is unbounded. Exact. The
// time depends on the set's shape, hardly on its size: what follows in the outermost coupled dimension is a
// polynomial in it between two vertices (Ehrhart; Clauss, ICS 1996), known by its values at a few places.
// Throws isl::exception: call inside IslContext::Run.
isl::val CountPoints(const isl::set& set);

}  // namespace tune
