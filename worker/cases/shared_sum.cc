#include "worker/cases/shared_sum.h"

#include <utility>

namespace tune {
namespace {

// make(element) in place of each instance of the statement.
template <typename Make>
void TransferInstead(const std::string& statement, int target, Block* block, const Make& make) {
  ForEachNode(*block, [&](Node& node) {
    auto* const instance = node.As<Instance>();
    if (instance != nullptr && instance->statement == statement)
      node = {make(std::move(instance->accesses[target]))};
  });
}

}  // namespace

void UpdateInstead(const std::string& statement, int target, const std::string& variable, Block* block) {
  ForEachNode(*block, [&](Node& node) {
    auto* const instance = node.As<Instance>();
    if (instance != nullptr && instance->statement == statement) instance->accesses[target] = {variable, {}};
  });
}

void AddInstead(const std::string& statement, int target, const PartialSum& sum, Block* block) {
  TransferInstead(statement, target, block, [&](ElementAccess element) {
    return Transfer{std::move(element), {sum.name, {}}, sum.type, sum.update};
  });
}

void LoadInstead(const std::string& statement, int target, const std::string& variable, Block* block) {
  TransferInstead(statement, target, block, [&](ElementAccess element) {
    return Transfer{{variable, {}}, std::move(element)};
  });
}

void StoreInstead(const std::string& statement, int target, const std::string& variable, Block* block) {
  TransferInstead(statement, target, block, [&](ElementAccess element) {
    return Transfer{std::move(element), {variable, {}}};
  });
}

}  // namespace tune
