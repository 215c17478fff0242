#include "worker/check/padding_check.h"

namespace tune {
namespace {

// { S -> tile[w] } of the instances' accesses to register tiles.
isl::union_map Registers(const KernelPlacement& placement, const isl::union_set& instances) {
  isl::union_map used = isl::union_map::empty(instances.ctx());
  const LocalMemory& memory = placement.kernel->memory;
  for (const LocalTile& tile : memory.tiles) {
    if (tile.shared) continue;
    for (const ReferenceName& reference : tile.references) {
      used = used.unite(memory.references.at(reference).as_union_map());  // S -> tile[w]
    }
  }
  return used.intersect_domain(instances);
}

}  // namespace

absl::Status CheckPadding(const KernelPlacement& placement, const ParsedScop& scop, const isl::set& values) {
  const isl::set known = placement.kernel->context.intersect(values);
  isl::union_set added = isl::union_set::empty(values.ctx()), own = added;  // { S } of a thread
  for (const TreeLeaf& leaf : FindLeaves(placement.kernel->thread)) {
    for (const ParsedStatement& statement : scop.statements) {
      const isl::union_set here = InstancesOf(leaf.instances(), statement.name).intersect_params(known);
      added = added.unite(here.subtract(isl::union_set(statement.domain)));
      own = own.unite(here.intersect(isl::union_set(statement.domain)));
    }
  }
  if (added.is_empty()) return absl::OkStatus();
  const auto error = [&](const isl::union_set& instances, const std::string& what) {
    return absl::FailedPreconditionError(absl::StrCat("kernel ", placement.name(), ": ", Example(instances),
                                                      " is no instance of the region and ", what));
  };
  // 1. What is not in a tile is not written, and there is nothing to be read beyond its end.
  for (const ParsedStatement& statement : scop.statements) {
    const isl::union_set here = InstancesOf(added, statement.name);
    if (here.is_empty()) continue;
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const ParsedAccess& access = statement.accesses[a];
      if (placement.kernel->memory.references.count({statement.name, static_cast<int>(a)}) > 0) continue;
      if (access.writes() || !scop.array(access.array).extents().empty())
        return error(here, absl::StrCat("touches array ", access.array));
    }
  }
  // 2. A thread's registers are used by either.
  const isl::union_map shared =
      Registers(placement, added).apply_range(Registers(placement, own).reverse());  // S -> S'
  if (!shared.is_empty()) return error(shared.domain(), "uses a register of one");
  return absl::OkStatus();
}

}  // namespace tune
