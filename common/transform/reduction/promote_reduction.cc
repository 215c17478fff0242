#include "common/transform/reduction/promote_reduction.h"

#include <algorithm>

namespace tune {

void PromoteReduction(const BlockInstances& block, const KernelReduction& reduction, LocalMemory* memory) {
  struct Partial {
    std::string array;
    v1::UpdateOperator update;
    isl::union_map elements;  // { [m] -> A }
    std::vector<ReferenceName> references;
  };
  std::vector<Partial> partials;
  for (const std::string& name : reduction.reduced) {
    const ParsedStatement& statement = block.scop->statement(name);
    const int target = statement.proto->target();
    const isl::union_map access = block.Access(name, target);
    if (access.is_empty()) continue;
    const isl::union_map elements = block.mapped.reverse().apply_range(access);
    // Updates of one element add to one partial value.
    const auto same = std::find_if(partials.begin(), partials.end(), [&](const Partial& partial) {
      return partial.array == statement.accesses[target].array &&
             partial.update == statement.proto->update() &&
             partial.elements.unite(elements).is_single_valued();
    });
    if (same == partials.end()) {
      partials.push_back(
          {statement.accesses[target].array, statement.proto->update(), elements, {{name, target}}});
    } else {
      same->elements = same->elements.unite(elements);
      same->references.emplace_back(name, target);
    }
  }
  for (const Partial& partial : partials) {
    AddRegisterTile(block, partial.array, absl::StrCat(partial.array, "_partial", memory->tiles.size()),
                    partial.references, memory);
    memory->tiles.back().combined_by = partial.update;
  }
}

}  // namespace tune
