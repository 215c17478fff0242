// Mark nodes of schedule trees.
#pragma once

#include <string>

#include "common/isl/isl.h"

namespace tune {

// Puts a mark node above `node` and returns it. Not isl's own insert_mark with a text: that would parse it
// and keep the first word.
inline isl::schedule_node InsertMark(const isl::schedule_node& node, const std::string& name) {
  return node.insert_mark(isl::manage(isl_id_alloc(node.ctx().get(), name.c_str(), nullptr)));
}

inline std::string MarkName(const isl::schedule_node& mark) {
  return isl::manage(isl_schedule_node_mark_get_id(mark.get())).name();
}

// The ancestor of `inside` at the depth of `outside`: the changed `outside`, when `inside` was made below it.
inline isl::schedule_node UpTo(const isl::schedule_node& outside, const isl::schedule_node& inside) {
  const int steps =
      isl_schedule_node_get_tree_depth(inside.get()) - isl_schedule_node_get_tree_depth(outside.get());
  return isl::manage(isl_schedule_node_ancestor(inside.copy(), steps));
}

}  // namespace tune
