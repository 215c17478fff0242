// Replaces nodes of blocks, and names in them.
#pragma once

#include <functional>
#include <optional>

#include "common/program/program_node.h"

namespace tune {

// Calls `replace` for each node of the block and of those inside, innermost first. Where it returns a block,
// its nodes stand in place of the node, from which it may take things; they are not asked about.
void ReplaceNodes(Block* block, const std::function<std::optional<Block>(Node& node)>& replace);

// With the value in place of the name in all expressions of the block's nodes and of those inside, their
// origins included.
void ReplaceName(const std::string& name, const IndexExpression& value, Block* block);

// Whether an expression of the block's nodes or of those inside has the name in it, their origins excepted.
bool Mentions(Block block, const std::string& name);

}  // namespace tune
