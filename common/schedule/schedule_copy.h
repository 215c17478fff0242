// Copies of computed schedules with other functions of the instances.
#pragma once

#include <functional>

#include "common/isl/isl.h"

namespace tune {

// What becomes of { S -> [t] } of a band, over universes of statements, and of { S -> [] } of a filter.
using RelationChange = std::function<isl::union_map(const isl::union_map&)>;

// A tree over `domain` with the nodes of `schedule`, each with its relation changed. Flags stay; bands
// without members go. Knows the nodes that isl's scheduler makes: bands, sequences, sets, leaves. Throws
// isl::exception.
isl::schedule CopySchedule(const isl::schedule& schedule, const isl::union_set& domain,
                           const RelationChange& change);

// The same below `from`, which becomes the subtree of `leaf`. Returns the node at the leaf's place.
isl::schedule_node CopySubtree(const isl::schedule_node& from, const isl::schedule_node& leaf,
                               const RelationChange& change);

}  // namespace tune
