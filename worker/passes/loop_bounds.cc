#include "worker/passes/loop_bounds.h"

#include <algorithm>

#include "common/program/bound_name.h"
#include "common/program/loop_condition.h"

namespace tune {
namespace {

void MakePlain(Loop* loop) {
  loop->parallel = loop->simd = false;
  loop->unroll = Loop::kCompilerDecides;
}

bool WantsName(const Loop& loop) { return loop.unroll > 1 && !loop.condition.operands[1].operands.empty(); }

// In a block with several loops, which have iterators of one name, each has a scope of its own.
void NameBounds(const HelperNames& names, const std::string& index_type, Block* block) {
  const bool several = 1 < std::count_if(block->begin(), block->end(),
                                         [](const Node& node) { return node.As<Loop>() != nullptr; });
  Block named;
  for (Node& node : *block) {
    for (Block* inner : node.blocks()) NameBounds(names, index_type, inner);
    auto* const loop = node.As<Loop>();
    if (loop != nullptr && !IsCanonical(*loop)) MakePlain(loop);
    if (loop == nullptr || !WantsName(*loop)) {
      named.push_back(std::move(node));
      continue;
    }
    IndexExpression& bound = loop->condition.operands[1];
    const std::string name = BoundName(names, names.bound, loop->iterator);
    Definition definition{index_type, name, bound};
    bound = IndexExpression::Name(name);
    Block both = {{std::move(definition)}, std::move(node)};
    if (several) both = {{Scope{std::move(both)}}};
    std::move(both.begin(), both.end(), std::back_inserter(named));
  }
  *block = std::move(named);
}

}  // namespace

void NameLoopBounds(const HelperNames& names, OpenMpProgram* program) {
  NameBounds(names, program->index_type, &program->body);
}

}  // namespace tune
