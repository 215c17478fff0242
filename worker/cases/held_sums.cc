#include "worker/cases/held_sums.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/isl/tuple_name.h"
#include "worker/cases/shared_sum.h"

namespace tune {
namespace {

std::vector<const ParsedStatement*> StatementsOf(const ParsedScop& scop, const isl::union_set& instances) {
  std::vector<const ParsedStatement*> statements;
  instances.foreach_set([&](const isl::set& set) { statements.push_back(&scop.statement(TupleName(set))); });
  return statements;
}

constexpr size_t kLeastCopied = 4;  // bytes of an element that a copy may begin with (PTX ISA, "cp.async")

// A value that is passed, or in a tile.
bool IsAtHand(const v1::Array& array, const std::vector<CachedArray>& caches) {
  if (array.extents().empty()) return array.read_only() && !array.declared_inside();
  return IsFloating(array.element_type()) && ElementSize(array.element_type()) >= kLeastCopied &&
         std::any_of(caches.begin(), caches.end(),
                     [&](const CachedArray& cached) { return cached.array == array.name(); });
}

}  // namespace

bool OnlySumUp(const ParsedScop& scop, const isl::union_set& thread, const std::vector<CachedArray>& caches) {
  const std::vector<const ParsedStatement*> statements = StatementsOf(scop, thread);
  std::set<std::string> targets;
  for (const ParsedStatement* statement : statements) {
    const isl::union_set elements =  // { A }
        thread.intersect(isl::union_set(statement->domain))
            .apply(isl::union_map(statement->target().relation));
    const std::string& array = statement->target().array;
    if (statement->proto->update() == v1::NONE || !IsFloating(scop.array(array).element_type()) ||
        !elements.as_set().is_singleton() || !targets.insert(array).second)
      return false;
  }
  for (const ParsedStatement* statement : statements) {
    for (size_t a = 0; a < statement->accesses.size(); ++a) {
      const std::string& array = statement->accesses[a].array;
      if (static_cast<int>(a) == statement->proto->target()) continue;
      if (targets.count(array) > 0 || !IsAtHand(scop.array(array), caches)) return false;
    }
  }
  return true;
}

isl::union_set OneInstance(const isl::union_set& thread, const ParsedStatement& statement) {
  return isl::union_set(thread.intersect(isl::union_set(statement.domain)).as_set().lexmin());
}

HeldSums HoldSums(const ParsedScop& scop, const isl::union_set& thread, Block iteration,
                  const std::function<Block(const isl::union_set&)>& lower, const HeldNames& names) {
  HeldSums held;
  if (!std::all_of(iteration.begin(), iteration.end(),
                   [](const Node& node) { return node.As<Instance>() != nullptr; }))
    return held;
  held.iteration = std::move(iteration);
  for (const ParsedStatement* statement : StatementsOf(scop, thread)) {
    const int target = statement->proto->target();
    held.sums.push_back({absl::StrCat(names.sum, held.sums.size()),
                         scop.array(statement->target().array).element_type(), statement->proto->update()});
    const std::string variable = absl::StrCat(held.sums.back().name, "[", names.point, "]");
    UpdateInstead(statement->name, target, variable, &held.iteration);
    Block load = lower(OneInstance(thread, *statement)), store = load;
    LoadInstead(statement->name, target, variable, &load);
    StoreInstead(statement->name, target, variable, &store);
    held.load.insert(held.load.end(), load.begin(), load.end());
    held.store.insert(held.store.end(), store.begin(), store.end());
  }
  return held;
}

}  // namespace tune
