#include "worker/cases/shared_sum.h"

#include <utility>

namespace tune {

void UpdateInstead(const std::string& statement, int target, const std::string& variable, Block* block) {
  ForEachNode(*block, [&](Node& node) {
    auto* const instance = node.As<Instance>();
    if (instance != nullptr && instance->statement == statement) instance->accesses[target] = {variable, {}};
  });
}

void AddInstead(const std::string& statement, int target, const PartialSum& sum, Block* block) {
  ForEachNode(*block, [&](Node& node) {
    auto* const instance = node.As<Instance>();
    if (instance == nullptr || instance->statement != statement) return;
    Transfer total;
    total.to = std::move(instance->accesses[target]);
    total.from = {sum.name, {}};
    total.type = sum.type;
    total.update = sum.update;
    node = {std::move(total)};
  });
}

}  // namespace tune
