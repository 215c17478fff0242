// Does another order keep what instances do to each other?
#pragma once

#include <string>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// Instances under another name: { S'[x'] -> S[x] }.
struct RenamedStatement {
  std::string statement;  // S
  isl::map origin;
};

// Whether each two accesses of an element of which one writes have the same order in `times`, { S' -> T }, as
// in the scop's own, but for those of two updates that commute (update_order.h): between other accesses of
// the element, which stay where they are, all orders of such updates leave the same value behind, up to
// rounding. `values`: of the parameters. Throws isl::exception.
bool KeepsOrder(const ParsedScop& scop, const std::vector<RenamedStatement>& renamed,
                const isl::union_map& times, const isl::set& values);

}  // namespace tune
