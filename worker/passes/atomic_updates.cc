#include "worker/passes/atomic_updates.h"

#include <set>

#include "common/program/statement_value.h"

namespace tune {
namespace {

void MarkIn(Block* block, const std::set<std::string>& updates) {
  ForEachNode(*block, [&](Node& node) {
    auto* const instance = node.As<Instance>();
    if (instance != nullptr && updates.count(instance->statement) > 0) instance->atomic = true;
  });
}

}  // namespace

void MarkAtomicUpdates(const v1::Scop& scop, OpenMpProgram* program) {
  std::set<std::string> updates;
  for (const v1::Statement& statement : scop.statements()) {
    const bool may_meet = statement.update() != v1::NONE;  // assignments keep their order
    if (may_meet && !TargetSubscripts(statement).empty()) updates.insert(statement.name());
  }
  if (updates.empty()) return;
  ForEachNode(program->body, [&](Node& node) {
    auto* const loop = node.As<Loop>();
    if (loop != nullptr && loop->parallel) MarkIn(&loop->body, updates);
  });
}

}  // namespace tune
