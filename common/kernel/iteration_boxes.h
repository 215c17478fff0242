// Whether the loops of a band have bounds that do not depend on each other.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// Whether, with all schedule dimensions above it fixed, `band` runs all combinations of values of its
// members, when the parameters are in `values`. Throws isl::exception: call inside IslContext::Run.
bool AreBoxes(const isl::schedule_node_band& band, const isl::set& values);

}  // namespace tune
