#include "worker/cases/flat_accesses.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

// The access without the constants of its subscripts.
ElementAccess WithoutConstants(const ElementAccess& access) {
  ElementAccess base = {access.array, {}};
  for (const IndexExpression& subscript : access.subscripts)
    base.subscripts.push_back(SplitConstant(subscript).first);
  return base;
}

// Those that are to be flattened.
std::vector<ElementAccess*> AccessesOf(Node* node) {
  if (auto* const transfer = node->As<Transfer>()) return {&transfer->to, &transfer->from};
  std::vector<ElementAccess*> accesses;
  for (ElementAccess& access : node->As<Instance>()->accesses) accesses.push_back(&access);
  return accesses;
}

class Flattener {
 public:
  Flattener(const std::map<std::string, FlatMemory>& memory, const KernelVariant& variant,
            const std::string& index_type, const std::string& prefix)
      : memory_(memory), variant_(variant), index_type_(index_type), prefix_(prefix) {}

  Block Flatten(const Block& block) {
    Block flat;
    Block run;  // instances and transfers beside each other
    const auto end_run = [&] {
      if (!run.empty()) AppendRun(std::move(run), &flat);
      run.clear();
    };
    for (const Node& node : block) {
      if (node.As<Instance>() != nullptr || node.As<Transfer>() != nullptr) {
        run.push_back(node);
        if (variant_.shared_addresses < 2) end_run();
        continue;
      }
      end_run();
      Node changed = node;
      for (Block* inner : changed.blocks()) *inner = Flatten(*inner);
      flat.push_back(std::move(changed));
    }
    end_run();
    return flat;
  }

 private:
  void AppendRun(Block run, Block* flat) {
    std::vector<std::pair<ElementAccess, std::string>> named;
    Scope scope;
    for (Node& node : run) {
      for (ElementAccess* access : AccessesOf(&node)) {
        if (memory_.count(access->array) == 0) continue;
        *access = variant_.shared_addresses == 0 ? Whole(*access) : ByName(*access, &named, &scope.body);
      }
    }
    Block* const target = scope.body.empty() ? flat : &scope.body;
    for (Node& node : run) target->push_back(std::move(node));
    if (target != flat) flat->push_back({std::move(scope)});
  }

  // Subscripts in the memory. `constants`: with those of its first element.
  IndexExpression Flat(const FlatMemory& memory, const std::vector<IndexExpression>& subscripts,
                       bool constants) const {
    IndexExpression flat = IndexExpression::Constant(0);
    for (size_t i = 0; i < subscripts.size(); ++i) {
      IndexExpression here = subscripts[i];
      if (!memory.first.empty()) {
        const auto& [first, constant] = memory.first[i];
        here = here - (constants ? first : Moved(first, -constant));
      }
      const IndexExpression rows = flat * IndexExpression::Name(memory.extents[i]);
      flat = i == 0 ? here : rows + here;
    }
    return flat;
  }

  ElementAccess Whole(const ElementAccess& access) const {
    const FlatMemory& memory = memory_.at(access.array);
    return {memory.name, {Flat(memory, access.subscripts, /*constants=*/true)}};
  }

  ElementAccess ByName(const ElementAccess& access, std::vector<std::pair<ElementAccess, std::string>>* named,
                       Block* definitions) const {
    const FlatMemory& memory = memory_.at(access.array);
    const ElementAccess base = WithoutConstants(access);
    auto found =
        std::find_if(named->begin(), named->end(), [&](const auto& one) { return one.first == base; });
    if (found == named->end()) {
      named->emplace_back(base, absl::StrCat(prefix_, named->size()));
      found = named->end() - 1;
      definitions->push_back(
          {Definition{index_type_, found->second, Flat(memory, base.subscripts, /*constants=*/false)}});
    }
    IndexExpression address = IndexExpression::Name(found->second);
    for (size_t i = 0; i < access.subscripts.size(); ++i) {
      const int64_t first = memory.first.empty() ? 0 : memory.first[i].second;
      const int64_t constant = SplitConstant(access.subscripts[i]).second - first;
      if (constant == 0) continue;
      IndexExpression step = IndexExpression::Constant(std::abs(constant));
      for (size_t k = i + 1; k < memory.extents.size(); ++k)
        step = step * IndexExpression::Name(memory.extents[k]);
      address = constant > 0 ? address + step : address - step;
    }
    return {memory.name, {address}};
  }

  static IndexExpression Moved(const IndexExpression& expression, int64_t by) {
    if (by == 0) return expression;
    const IndexExpression distance = IndexExpression::Constant(std::abs(by));
    return by > 0 ? expression + distance : expression - distance;
  }

  const std::map<std::string, FlatMemory>& memory_;
  const KernelVariant& variant_;
  const std::string index_type_, prefix_;
};

}  // namespace

std::pair<IndexExpression, int64_t> SplitConstant(const IndexExpression& subscript) {
  if (subscript.op == Op::kConstant) return {IndexExpression::Constant(0), subscript.value};
  const bool sum = subscript.op == Op::kAdd || subscript.op == Op::kSubtract;
  if (!sum || subscript.operands.size() != 2) return {subscript, 0};
  const IndexExpression &left = subscript.operands[0], &right = subscript.operands[1];
  if (right.IsConstant()) return {left, subscript.op == Op::kAdd ? right.value : -right.value};
  if (left.IsConstant() && subscript.op == Op::kAdd) return {right, left.value};
  return {subscript, 0};
}

int CountAddresses(const std::vector<ElementAccess>& accesses) {
  std::vector<ElementAccess> bases;
  for (const ElementAccess& access : accesses) {
    if (access.subscripts.empty()) continue;
    ElementAccess base = WithoutConstants(access);
    if (std::find(bases.begin(), bases.end(), base) == bases.end()) bases.push_back(std::move(base));
  }
  return static_cast<int>(bases.size());
}

Block FlattenAccesses(const Block& block, const std::map<std::string, FlatMemory>& memory,
                      const KernelVariant& variant, const std::string& index_type,
                      const std::string& prefix) {
  return Flattener(memory, variant, index_type, prefix).Flatten(block);
}

}  // namespace tune
