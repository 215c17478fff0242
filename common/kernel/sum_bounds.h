// Which members of a kernel's band say how long the sums of its threads are.
#pragma once

#include <vector>

#include "common/isl/isl.h"

namespace tune {

// Parallel to the band's members: whether it is coincident and those that are not have other iterations for
// one of its values than for another, where the others and the schedule dimensions above have the same values
// and the parameters are in `values`: a triangle, not a rectangle. Throws isl::exception: call inside
// IslContext::Run.
std::vector<bool> MembersThatBoundSums(const isl::schedule_node_band& band,
                                       const std::vector<bool>& coincident, const isl::set& values);

}  // namespace tune
