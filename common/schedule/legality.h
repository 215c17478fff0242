// Does a schedule respect the dependences?
#pragma once

#include "common/dependence/dependence.h"

namespace tune {

// OK when every dependence goes forward in `schedule` (lexicographically positive distance) and every
// instance is scheduled. Otherwise FAILED_PRECONDITION naming the statements and one violated pair of
// instances.
absl::Status CheckLegal(IslContext& context, const isl::schedule& schedule, const ParsedScop& scop,
                        const Dependences& dependences);

// The same for a flattened schedule, { S -> [t0, t1, ...] }.
absl::Status CheckLegal(IslContext& context, const isl::union_map& schedule, const ParsedScop& scop,
                        const Dependences& dependences);

}  // namespace tune
