// Whether the sums that a kernel's threads compute are of one length.
#pragma once

#include <vector>

#include "common/isl/isl.h"

namespace tune {

// Whether members of the band that are not `coincident` have the same iterations for all values of those that
// are, at each value of the schedule dimensions above, when the parameters are in `values`: a rectangle, not
// a triangle. Throws isl::exception: call inside IslContext::Run.
bool HasEqualSums(const isl::schedule_node_band& band, const std::vector<bool>& coincident,
                  const isl::set& values);

}  // namespace tune
