// Unrolling of loops that stay as they are in the schedule tree.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// Marks the last loop of the innermost bands at or below `node` for unrolling by the factor; of `node` itself
// not where it is the kernel's root band. Returns the node at its place; throws isl::exception.
isl::schedule_node MarkInnermostLoops(isl::schedule_node node, int64_t factor, bool is_root);

}  // namespace tune
