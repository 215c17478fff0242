#include "common/transform/registers/promote_registers.h"

#include <algorithm>

#include "common/isl/relations.h"

namespace tune {
namespace {

// Whether no point writes a copy, { [m] -> A }, to the element of another. To its own it writes what is
// there.
bool CopiesStayApart(const isl::union_map& copied, const isl::union_map& elements) {
  if (copied.is_empty()) return true;
  const isl::union_map all = copied.apply_range(elements.reverse());
  if (all.is_empty()) return true;
  const isl::map meetings = all.as_map();  // [m] -> [m']
  return meetings.is_subset(IdentityMap(meetings.space()));
}

// Whether data decide which elements of the array some statement accesses.
bool HasDataAccess(const BlockInstances& block, const std::string& array) {
  return std::any_of(block.statements.begin(), block.statements.end(), [&](const std::string& name) {
    const std::vector<ParsedAccess>& accesses = block.scop->statement(name).accesses;
    return std::any_of(accesses.begin(), accesses.end(),
                       [&](const ParsedAccess& access) { return access.of_data && access.array == array; });
  });
}

}  // namespace

void PromoteToRegisters(const BlockInstances& block, const std::vector<ReferenceName>& constant_reads,
                        const isl::union_set& own_instances, LocalMemory* memory) {
  const auto is_constant = [&](const ReferenceName& reference) {
    return std::find(constant_reads.begin(), constant_reads.end(), reference) != constant_reads.end();
  };
  for (const std::string& name : block.WrittenArrays()) {
    if (HasDataAccess(block, name)) continue;
    isl::union_map own = isl::union_map::empty(block.domain.ctx());  // { S -> A }, references in registers
    isl::union_map copied = own;                                     // those that copies out of them write
    std::vector<ReferenceName> references;
    for (const std::string& statement : block.statements) {
      const ParsedStatement& parsed = block.scop->statement(statement);
      for (size_t a = 0; a < parsed.accesses.size(); ++a) {
        const ReferenceName reference(statement, static_cast<int>(a));
        if (parsed.accesses[a].array != name || is_constant(reference)) continue;
        const bool copy = IsCopyWithin(parsed) && static_cast<int>(a) == parsed.proto->target();
        isl::union_map& side = copy ? copied : own;
        side = side.unite(block.Access(statement, a).intersect_domain(own_instances));
        if (!copy) references.push_back(reference);
      }
    }
    if (own.is_empty()) continue;
    const isl::union_map elements = block.mapped.reverse().apply_range(own);  // { [m] -> A }
    if (!elements.is_single_valued() || !elements.is_injective()) continue;
    if (!CopiesStayApart(block.mapped.reverse().apply_range(copied), elements)) continue;
    AddRegisterTile(block, name, name + "_registers", references, memory);
  }
}

}  // namespace tune
