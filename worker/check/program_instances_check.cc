#include "worker/check/program_instances_check.h"

#include <algorithm>
#include <map>

#include "common/isl/tuple_name.h"
#include "worker/check/placement.h"

namespace tune {
namespace {

// { X } of the tree, of each statement.
std::map<std::string, isl::set> TreeInstances(const CheckedKernel& checked) {
  std::map<std::string, isl::set> instances;
  for (const TreeLeaf& leaf : checked.leaves) {
    leaf.instances().intersect_params(checked.context).foreach_set([&](const isl::set& set) {
      const std::string name = TupleName(set);
      const auto [place, is_new] = instances.emplace(name, set);
      if (!is_new) place->second = place->second.unite(set);
    });
  }
  return instances;
}

std::string ExampleOf(const isl::set& set) { return Example(isl::union_set(set)); }

// Sees one node after the other.
class InstanceCount {
 public:
  explicit InstanceCount(const CheckedKernel& checked) : checked_(checked), wanted_(TreeInstances(checked)) {}

  absl::Status Add(const RaisedNode& node) {
    const Origin* const origin = OriginOf(*node.node);
    if (origin == nullptr) return absl::OkStatus();
    const isl::map runs = node.Runs();  // [i] -> X
    const isl::set instances = runs.range();
    if (!runs.is_injective())
      return checked_.Fault("an instance of ", origin->statement, " runs twice in a loop");
    const auto found = wanted_.find(origin->statement);
    const isl::set wanted = found == wanted_.end() ? isl::set::empty(instances.space()) : found->second;
    const isl::set more = instances.subtract(wanted);
    if (!more.is_empty())
      return checked_.Fault("the program runs ", ExampleOf(more), ", which the schedule tree has not");
    const auto [before, is_new] = seen_.emplace(origin->statement, instances);
    if (is_new) return absl::OkStatus();
    const isl::set again = before->second.intersect(instances);
    if (!again.is_empty()) return checked_.Fault(ExampleOf(again), " runs twice");
    before->second = before->second.unite(instances);
    return absl::OkStatus();
  }

  absl::Status CheckAllSeen() const {
    for (const auto& [name, wanted] : wanted_) {
      const auto found = seen_.find(name);
      const isl::set missing = found == seen_.end() ? wanted : wanted.subtract(found->second);
      if (!missing.is_empty())
        return checked_.Fault("the schedule tree has ", ExampleOf(missing),
                              ", which the program does not run");
    }
    return absl::OkStatus();
  }

 private:
  const CheckedKernel& checked_;
  const std::map<std::string, isl::set> wanted_;
  std::map<std::string, isl::set> seen_;
};

}  // namespace

absl::Status CheckProgramInstances(const CheckedKernel& checked) {
  InstanceCount count(checked);
  const Origin* last = nullptr;  // the reductions of several tiles are one instance
  for (const RaisedNode& node : checked.nodes) {
    const Origin* const origin = OriginOf(*node.node);
    const bool repeated = node.node->As<BlockReduction>() != nullptr && last != nullptr && *last == *origin;
    if (!repeated) TUNE_RETURN_IF_ERROR(count.Add(node));
    last = origin;
  }
  return count.CheckAllSeen();
}

}  // namespace tune
