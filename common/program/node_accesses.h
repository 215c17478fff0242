// The elements that nodes of programs access one by one.
#pragma once

#include "common/program/program_node.h"

namespace tune {

// Calls visit(access) for each access of an instance, or of a transfer, where it writes first. Other nodes,
// fills among them, have none; what a node holds is not looked at. `node` may be constant.
template <typename AnyNode, typename Visit>
void ForEachAccess(AnyNode& node, const Visit& visit) {
  if (auto* const instance = node.template As<Instance>()) {
    for (auto& access : instance->accesses) visit(access);
  } else if (auto* const transfer = node.template As<Transfer>()) {
    visit(transfer->to);
    visit(transfer->from);
  }
}

}  // namespace tune
