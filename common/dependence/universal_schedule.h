// Orders that are known of all instances that statements could have.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// The order of `schedule` without the conditions on instances, as far as its tree says it apart from them:
// what isl derives of it for each statement has no constraints then, and takes a fraction of the time. What
// is ordered beyond the instances of `schedule` means nothing. Trees that have other nodes than bands,
// sequences, sets, filters and marks stay as they are. Throws isl::exception.
isl::schedule OnAllInstances(const isl::schedule& schedule);

}  // namespace tune
