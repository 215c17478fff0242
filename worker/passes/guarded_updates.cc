#include "worker/passes/guarded_updates.h"

namespace tune {

void MarkGuardedUpdates(const std::set<std::string>& statements, OpenMpProgram* program) {
  if (statements.empty()) return;
  ForEachNode(program->body, [&](Node& node) {
    auto* const instance = node.As<Instance>();
    if (instance != nullptr && statements.count(instance->statement) > 0) instance->guarded = true;
  });
}

}  // namespace tune
