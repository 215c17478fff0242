// In which order a schedule tree runs pairs of instances.
#pragma once

#include <optional>
#include <string>

#include "common/isl/isl.h"

namespace tune {

// What a tree does with pairs { S -> S' } of which S must run first.
struct PairOrder {
  std::optional<isl::union_map> backward;  // pairs in the wrong order, all of one node
  std::string where;                       // that node: "in a sequence", "at the band ..."
  isl::union_map tied;                     // pairs that no node of the tree orders
};

// Sorts `pairs`, both sides of which run in one thread of control: parameters that the tree's bands and
// filters depend on must be bound in them. Extensions are allowed; a pair that a filter outside of sequences
// drops is taken to stay. Stops at the first node with backward pairs. Throws isl::exception.
PairOrder OrderOf(const isl::schedule& tree, const isl::union_map& pairs);

}  // namespace tune
