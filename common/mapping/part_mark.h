// Which blocks run a subtree, carried by a mark node from the mapper to the printer.
#pragma once

#include <optional>
#include <string>

#include "common/isl/isl.h"

namespace tune {

// Name of the mark node above what only blocks outside of `blocks` run, a set of parameters: "unless: [b0] ->
// {  : b0 <= 36 }". As a filter such a condition, which is seldom convex, would have isl generate the subtree
// again for each of its pieces; of a guard it would ask at each node below what it tells.
std::string PrintPartMark(const isl::set& blocks);

// The blocks that do not run what is below the mark of that name; nothing when it is no such name. Throws
// isl::exception.
std::optional<isl::set> ParsePartMark(isl::ctx ctx, absl::string_view name);

// The parameters at which what is below `node` runs, when it is such a mark. Throws isl::exception.
std::optional<isl::set> PartBelow(const isl::schedule_node& node);

}  // namespace tune
