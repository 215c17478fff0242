// The outermost loop of a region, as it is written.
#pragma once

#include "common/base/status.h"
#include "common/scop/scop.h"

namespace tune {

// { S -> [v] }: the value of the outermost loop around each instance, but for those of KILL statements that
// stand outside of loops. INVALID_ARGUMENT where another statement does. Throws isl::exception.
absl::StatusOr<isl::union_map> OutermostLoop(const ParsedScop& scop);

// OK where no iteration of the loop, { S -> [v] }, depends on another one: none touches an element that
// another one writes, unless that was declared inside the region and each value of it is made and used in one
// iteration. INVALID_ARGUMENT names the array and the line. Errors of ComputeDependences; throws
// isl::exception.
absl::Status CheckIndependent(IslContext& context, const ParsedScop& scop, const isl::union_map& loop);

}  // namespace tune
