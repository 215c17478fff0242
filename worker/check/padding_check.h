// Instances that were added to fill up tiles do no harm.
#pragma once

#include "worker/check/placement.h"

namespace tune {

// Each one reads tiles and scalars alone, and writes to a register of its thread that no instance of the scop
// uses, so that it is not stored. FAILED_PRECONDITION says which one does not. Throws isl::exception.
absl::Status CheckPadding(const KernelPlacement& placement, const ParsedScop& scop, const isl::set& values);

}  // namespace tune
