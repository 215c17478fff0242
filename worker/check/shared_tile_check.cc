#include "worker/check/shared_tile_check.h"

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "worker/check/simple_hull.h"
#include "worker/check/tile_copy.h"

namespace tune {
namespace {

bool IsFill(const CopyStatement& copy) { return copy.kind == CopyStatement::Kind::kFillShared; }

// Number of the tile among the shared ones: that of its place in the fills.
size_t SharedNumber(const KernelPlacement& placement, const TileUse& use) {
  size_t number = 0;
  for (int t = 0; t < use.number; ++t) number += placement.kernel->memory.tiles[t].shared ? 1 : 0;
  return number;
}

// { S -> A[first + index] } where that is not the element meant; `first`: { S -> A[first] }, of the tile.
isl::map WrongElements(const TileUse& use, const isl::union_map& first) {
  const std::string array = TupleName(use.element, isl_dim_out);
  const isl::map place = use.tile->transposed ? WithLastExchanged(use.place) : use.place;
  const isl::map index = WithTupleName(place, isl_dim_out, array);
  const isl::map start = AlignParameters(first.as_map(), index.space());
  const isl::map found = Sum(start, AlignParameters(index, start.space()));
  return found.subtract(use.element);
}

absl::Status CheckFilled(const KernelPlacement& placement, const TileUse& use) {
  const CopyLeaf fill = FindNearest(placement, *use.leaf, /*before=*/true, IsFill);
  if (fill.leaf == nullptr)
    return use.Fault(placement, "is never filled before ", Example(use.instances), " reads it");
  if (fill.repeated || fill.leaf->depth() != fill.parting.members)
    return use.Fault(placement, "is filled in a loop of its own: it cannot be told what it holds");
  const size_t number = SharedNumber(placement, use);
  if (number >= fill.copy->places.size())
    return use.Fault(placement, "is not among the tiles that ", fill.copy->name, " fills");
  // { S -> [p] }, then { S -> Fill[p] }: the fill that ran last
  const isl::union_map outer =
      OuterMembers(use.leaf->schedule.intersect_domain(use.instances), fill.parting.members);
  const isl::union_map filled_by =
      outer.apply_range(OuterMembers(fill.leaf->schedule, fill.parting.members).reverse());
  const isl::union_set unfilled = use.instances.subtract(filled_by.domain());
  if (!unfilled.is_empty())
    return use.Fault(placement, "is not filled before ", Example(unfilled), " reads it");
  // What holds of all fills alike is told fastest without the cases when they run.
  const isl::union_map offset(fill.copy->places[number].as_map());
  if (WrongElements(use, SimpleHull(filled_by).apply_range(SimpleHull(offset))).is_empty())
    return absl::OkStatus();
  const isl::map wrong = WrongElements(use, filled_by.apply_range(offset));
  if (wrong.is_empty()) return absl::OkStatus();
  return use.Fault(placement, "reads another element than it should: ", Example(isl::union_map(wrong).wrap()),
                   ", filled by ", fill.copy->name);
}

// { A }: what the tile is filled with, also at places that nothing reads.
isl::union_set Filled(const KernelPlacement& placement, const TileUse& use) {
  isl::union_set filled = isl::union_set::empty(use.place.ctx());
  std::vector<int64_t> extents = use.tile->extents;
  if (use.tile->transposed) std::swap(extents.back(), extents[extents.size() - 2]);
  const size_t number = SharedNumber(placement, use);
  for (const TreeLeaf& leaf : placement.leaves) {
    const CopyStatement* const copy = CopyAt(placement, leaf);
    if (copy == nullptr || !IsFill(*copy) || number >= copy->places.size()) continue;
    const isl::map first = copy->places[number].as_map();  // Fill[p] -> A
    const isl::map all = first.apply_range(Windows(first.range().space(), extents));
    filled = filled.unite(leaf.instances().apply(isl::union_map(all)));
  }
  return filled;
}

// Elements do not change while a launch holds copies of them, or makes them.
absl::Status CheckReadOnly(const KernelPlacement& placement, const TileUse& use, const ParsedScop& scop,
                           const isl::set& values) {
  if (use.access->writes()) return use.Fault(placement, "writes, but nothing stores shared tiles");
  isl::union_set instances = isl::union_set::empty(values.ctx());  // { S } of a launch
  for (const TreeLeaf& leaf : placement.leaves) instances = instances.unite(leaf.instances());
  isl::union_map writes = isl::union_map::empty(values.ctx());  // { S -> A }
  for (const ParsedStatement& statement : scop.statements) {
    const isl::union_set own = InstancesOf(instances, statement.name);
    for (const ParsedAccess& access : statement.accesses) {
      if (access.writes() && access.array == use.access->array && !own.is_empty())
        writes = writes.unite(isl::union_map(access.relation).intersect_domain(own));
    }
  }
  if (writes.is_empty()) return absl::OkStatus();
  std::vector<std::string> names = placement.ThreadNames();
  names.insert(names.end(), placement.coordinates.begin() + placement.host_depth,
               placement.coordinates.end() - placement.axes);
  const isl::union_set read =  // { A } of a launch
      ProjectOut(use.instances.apply(isl::union_map(use.element)), names);
  const isl::union_map changed =
      ProjectOut(writes.intersect_params(values).wrap(), names).unwrap().intersect_range(read);
  if (!changed.is_empty())
    return use.Fault(placement,
                     "reads a copy of an element that the same launch writes: ", Example(changed.wrap()));
  const isl::union_map meanwhile = ProjectOut(writes.intersect_params(values).wrap(), names)
                                       .unwrap()
                                       .intersect_range(ProjectOut(Filled(placement, use), names));
  if (meanwhile.is_empty()) return absl::OkStatus();
  return use.Fault(placement,
                   "is filled with an element that the same launch writes: ", Example(meanwhile.wrap()));
}

}  // namespace

absl::Status CheckSharedTiles(const KernelPlacement& placement, const std::vector<TileUse>& uses,
                              const ParsedScop& scop, const isl::set& values) {
  for (const TileUse& use : uses) {
    if (!use.tile->shared) continue;
    TUNE_RETURN_IF_ERROR(CheckReadOnly(placement, use, scop, values));
    TUNE_RETURN_IF_ERROR(CheckFilled(placement, use));
  }
  return absl::OkStatus();
}

}  // namespace tune
