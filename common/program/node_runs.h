// Nodes that stand behind each other, made one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/program/device_program.h"

namespace tune {

struct NodeRuns {
  // Whether a node can be part of a run at all.
  std::function<bool(const Node& node)> is_member;
  // Whether a member may follow those of a run, none of which is another kind of node; else it begins one.
  std::function<bool(const Node& node, const Block& run)> follows;
  // What stands for a run; `iterators`: those of the loops around it, the outermost first.
  std::function<Node(const Block& run, const std::vector<std::string>& iterators)> replacement;
};

// The block with the replacement of each run, as long as they can be, in it and in the blocks below it.
Block ReplaceRuns(const Block& block, const NodeRuns& runs);

}  // namespace tune
