// The loops over tiles that a launch of tiles begins with.
#pragma once

#include <string>
#include <vector>

#include "common/program/program_node.h"

namespace tune {

// The parallel loops of which each is all that the one before it holds, outermost first; `block`: what holds
// the first of them alone.
inline std::vector<const Loop*> TileNest(const Block& block) {
  std::vector<const Loop*> loops;
  for (const Block* inside = &block; inside->size() == 1; inside = &loops.back()->body) {
    const auto* const loop = (*inside)[0].As<Loop>();
    if (loop == nullptr || !loop->parallel) break;
    loops.push_back(loop);
  }
  return loops;
}

// Theirs.
inline std::vector<std::string> IteratorsOf(const std::vector<const Loop*>& loops) {
  std::vector<std::string> iterators;
  for (const Loop* loop : loops) iterators.push_back(loop->iterator);
  return iterators;
}

}  // namespace tune
