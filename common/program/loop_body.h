// What loops hold.
#pragma once

#include "common/program/program_node.h"

namespace tune {

// Whether it is instances and transfers, which may stand in conditions, and nothing else.
inline bool HasStatementsAlone(const Block& block) {
  bool alone = true;
  ForEachNode(block, [&](const Node& node) {
    alone = alone && (node.As<Instance>() != nullptr || node.As<Transfer>() != nullptr ||
                      node.As<Condition>() != nullptr);
  });
  return alone;
}

}  // namespace tune
