// The nest of loops that instances stand in.
#pragma once

#include "common/isl/schedule_node.h"

namespace tune {

// The band of the outermost loop around all `instances`, { S }; null where there is none. Throws
// isl::exception.
inline isl::schedule_node OutermostLoop(const isl::schedule& schedule, const isl::union_set& instances) {
  isl::schedule_node loop;
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!loop.is_null()) return false;
    if (!node.isa<isl::schedule_node_band>() || !instances.is_subset(NodeDomain(node))) return true;
    loop = node;
    return false;
  });
  return loop;
}

}  // namespace tune
