// Is every instance executed exactly once?
#pragma once

#include "worker/check/placement.h"

namespace tune {

// OK when the launches of the host tree, each once, run each instance of the scop (but KILL statements)
// exactly once, on a thread that is in the block of a block that is in the grid. Otherwise
// FAILED_PRECONDITION with an example. `placements`: of all kernels. Throws isl::exception.
absl::Status CheckPlacements(const std::vector<KernelPlacement>& placements, const MappedProgram& program,
                             const ParsedScop& scop, const isl::set& values);

}  // namespace tune
