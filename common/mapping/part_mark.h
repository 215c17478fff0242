// Which blocks run a subtree, carried by a mark node from the mapper to the printer.
#pragma once

#include <optional>

#include "common/isl/isl.h"

namespace tune {

// Puts a mark node above `node`, below which only blocks outside of `blocks` run, a set of parameters, and
// returns it. As a filter such a condition, which is seldom convex, would have isl generate the subtree again
// for each of its pieces; of a guard it would ask at each node below what it tells. The set goes with the
// mark's identifier; its name, "unless: [b0] -> {  : b0 <= 36 }", is for trees that are printed and read
// back.
isl::schedule_node InsertPartMark(const isl::schedule_node& node, const isl::set& blocks);

// The blocks that do not run what is below the mark of that identifier; nothing when it is of another kind.
// Throws isl::exception for what only begins as such a name.
std::optional<isl::set> BlocksWithout(const isl::id& mark);

// The parameters at which what is below `node` runs, when it is such a mark. Throws isl::exception.
std::optional<isl::set> PartBelow(const isl::schedule_node& node);

}  // namespace tune
