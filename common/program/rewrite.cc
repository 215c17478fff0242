#include "common/program/rewrite.h"

#include <iterator>

namespace tune {

void ReplaceNodes(Block* block, const std::function<std::optional<Block>(Node& node)>& replace) {
  Block replaced;
  replaced.reserve(block->size());
  for (Node& node : *block) {
    for (Block* inner : node.blocks()) ReplaceNodes(inner, replace);
    if (std::optional<Block> nodes = replace(node)) {
      std::move(nodes->begin(), nodes->end(), std::back_inserter(replaced));
    } else {
      replaced.push_back(std::move(node));
    }
  }
  *block = std::move(replaced);
}

}  // namespace tune
