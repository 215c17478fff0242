// How often the loops of a band run.
#pragma once

#include <cstdint>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// { [prefix, members] }: when what is below the band runs, in terms of the schedule dimensions above it and
// its members, when the parameters are in `values`, which are left out. Null: never. Throws isl::exception:
// call inside IslContext::Run.
isl::set TimesOfBand(const isl::schedule_node_band& band, const isl::set& values);

// For each member of `band`, outermost first, the largest number of iterations of its loop in one execution
// (with all schedule dimensions above it fixed) when the parameters are in `values`; 0 when it never runs, -1
// when unbounded. Values that its step skips do not count. Throws isl::exception: call inside
// IslContext::Run.
std::vector<int64_t> TripCounts(const isl::schedule_node_band& band, const isl::set& values);

// Whether a loop with that trip count runs more than once; one of unknown length is taken to.
inline bool Repeats(int64_t trip_count) { return trip_count < 0 || trip_count >= 2; }

}  // namespace tune
