// Which loops of a schedule are parallel.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// The schedule with members of its bands coincident only where they are for all `dependences`, { S -> S },
// that the loops outside the band leave: both ends have the same value of the member. Throws isl::exception.
isl::schedule WithCoincidenceOf(const isl::union_map& dependences, const isl::schedule& schedule);

}  // namespace tune
