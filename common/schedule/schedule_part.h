// Parts of schedule trees.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// What of the tree below `node` orders the instances in `domain`, { S }: bands without flags, sequences,
// sets. Throws isl::exception.
isl::schedule SchedulePart(const isl::schedule_node& node, const isl::union_set& domain);

}  // namespace tune
