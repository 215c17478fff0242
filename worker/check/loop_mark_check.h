// Do loops stay within what their marks say of them?
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "worker/check/tree_leaf.h"

namespace tune {

// OK when every loop that belongs to a mark with LoopMark::points has values from 0 on, below these, as it is
// printed. Otherwise FAILED_PRECONDITION with an example. `tree`: what the leaves are of; `known`: of the
// parameters. Throws isl::exception.
absl::Status CheckLoopMarks(const std::string& tree, const std::vector<TreeLeaf>& leaves,
                            const isl::set& known);

}  // namespace tune
