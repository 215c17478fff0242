// The boxes of elements of arrays that are copied between host and device, as functions of sizes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "common/program/index_expression.h"

namespace tune {

// The smallest and the largest subscript of each dimension that references have, of the region's parameters.
// They mean something only where `any` holds; else there are no elements.
struct ArrayBox {
  std::vector<IndexExpression> first, last;
  IndexExpression any;
};

// By the array's name, around convex hulls, of which isl finds the extremes soon; an array that is not there
// has no bounds but its extents. `accesses`: { S -> A }; `within`: these and others, { S -> A }, in whose
// boxes theirs lie, so that no element is copied back that was not copied in; `context`: what parameters
// always are. Throws isl::exception.
std::map<std::string, ArrayBox> BoxesOf(const isl::union_map& accesses, const isl::union_map& within,
                                        const isl::set& context, const isl::ast_build& build);

// { A }: what is in the box of BoxesOf around `elements`, of one array; nothing where there is no such box.
// Throws isl::exception.
std::optional<isl::set> BoxAround(const isl::set& elements);

}  // namespace tune
