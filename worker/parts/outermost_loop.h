// The outermost loop of a region, as it is written.
#pragma once

#include "common/base/status.h"
#include "common/scop/scop.h"

namespace tune {

struct OutermostLoop {
  isl::union_map value;  // { S -> [v] }, of all instances but those of KILL statements outside of loops
  int count = 0;         // of loops, one after the other, which count as one
};

// INVALID_ARGUMENT where a statement stands outside of loops. Throws isl::exception.
absl::StatusOr<OutermostLoop> FindOutermostLoop(const ParsedScop& scop);

// OK where no iteration of the loop depends on another one: none touches an element that another one writes,
// unless that was declared inside the region and each value of it is made and used in one iteration.
// INVALID_ARGUMENT names the array and the line. Errors of ComputeDependences; throws isl::exception.
absl::Status CheckIndependent(IslContext& context, const ParsedScop& scop, const OutermostLoop& loop);

}  // namespace tune
