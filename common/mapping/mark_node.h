// Mark nodes of schedule trees.
#pragma once

#include <string>

#include "common/isl/isl.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"

namespace tune {

// Puts a mark node above `node` and returns it. Not isl's own insert_mark with a text: that would parse it
// and keep the first word.
inline isl::schedule_node InsertMark(const isl::schedule_node& node, const std::string& name) {
  return node.insert_mark(NamedId(node.ctx(), name));
}

inline std::string MarkName(const isl::schedule_node& mark) { return MarkId(mark).name(); }

// The ancestor of `inside` at the depth of `outside`: the changed `outside`, when `inside` was made below it.
inline isl::schedule_node UpTo(const isl::schedule_node& outside, const isl::schedule_node& inside) {
  const int steps = inside.tree_depth() - outside.tree_depth();
  return inside.ancestor(steps);
}

}  // namespace tune
