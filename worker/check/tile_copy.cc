#include "worker/check/tile_copy.h"

#include <algorithm>

#include "common/isl/bounds.h"
#include "common/isl/spaces.h"
#include "common/isl/tuple_name.h"
#include "worker/check/simple_hull.h"

namespace tune {
namespace {

using Kind = CopyStatement::Kind;

// Members of bands between two places of a path.
int MembersBetween(const TreeLeaf& leaf, size_t begin, size_t end) {
  return static_cast<int>(std::count(leaf.path.begin() + static_cast<std::ptrdiff_t>(begin),
                                     leaf.path.begin() + static_cast<std::ptrdiff_t>(end),
                                     TreeLeaf::kMember));
}

template <typename... Parts>
absl::Status CopyFault(const KernelPlacement& placement, const Parts&... parts) {
  return absl::FailedPreconditionError(absl::StrCat("kernel ", placement.name(), ": ", parts...));
}

// -1: the place is in no tile.
int TileOf(const KernelPlacement& placement, const isl::pw_multi_aff& place) {
  const std::vector<LocalTile>& tiles = placement.kernel->memory.tiles;
  for (size_t t = 0; t < tiles.size(); ++t) {
    if (tiles[t].name == TupleName(place, isl_dim_out)) return static_cast<int>(t);
  }
  return -1;
}

// { tile[index] -> A } of what a leaf loads or stores; nothing when it is null.
isl::union_map Held(const KernelPlacement& placement, const CopyLeaf& leaf) {
  if (leaf.leaf == nullptr || leaf.copy->places.size() != 2)
    return isl::union_map::empty(placement.places.ctx());
  const isl::union_set instances = leaf.leaf->instances();
  return leaf.copy->places[1].as_union_map().intersect_domain(instances).reverse().apply_range(
      leaf.copy->places[0].as_union_map());
}

}  // namespace

const CopyStatement* CopyAt(const KernelPlacement& placement, const TreeLeaf& leaf) {
  const CopyStatement* copy = nullptr;
  leaf.instances().foreach_set(
      [&](const isl::set& set) { copy = placement.kernel->memory.FindCopy(TupleName(set)); });
  return copy;
}

CopyLeaf FindNearest(const KernelPlacement& placement, const TreeLeaf& leaf, bool before,
                     const std::function<bool(const CopyStatement&)>& wanted) {
  CopyLeaf nearest;
  std::vector<CopyLeaf> opposite;  // on the other side: a loop around may bring them in between
  for (const TreeLeaf& other : placement.leaves) {
    const CopyStatement* const copy = CopyAt(placement, other);
    if (&other == &leaf || copy == nullptr || !wanted(*copy)) continue;
    const CopyLeaf found{&other, copy, PartingOf(other, leaf), false};
    if (found.parting.forward != before) {
      opposite.push_back(found);
      continue;
    }
    const size_t position = found.parting.position;
    const bool nearer = nearest.leaf == nullptr || position > nearest.parting.position ||
                        (position == nearest.parting.position &&
                         (other.path[position] > nearest.leaf->path[position]) == before);
    if (nearer) nearest = found;
  }
  if (nearest.leaf == nullptr) return nearest;
  for (const CopyLeaf& other : opposite) {
    if (other.parting.position > nearest.parting.position &&
        MembersBetween(leaf, nearest.parting.position, other.parting.position) > 0)
      nearest.repeated = true;
  }
  return nearest;
}

CopyLeaf FindNearest(const KernelPlacement& placement, const TreeLeaf& leaf, bool before, Kind kind,
                     int tile) {
  return FindNearest(placement, leaf, before,
                     [&](const CopyStatement& copy) { return copy.kind == kind && copy.tile == tile; });
}

isl::set OutsideOf(const LocalTile& tile, isl::ctx ctx) {
  const isl::space unnamed = SetSpace(ctx, 0, tile.extents.size());
  const isl::space space = WithTupleName(unnamed, isl_dim_set, tile.name);
  isl::set outside = isl::set::empty(space);
  for (size_t i = 0; i < tile.extents.size(); ++i) {
    const isl::set all = isl::set::universe(space);
    const int end = static_cast<int>(tile.extents[i]);
    outside = outside.unite(UpperBound(all, isl_dim_set, i, -1));
    outside = outside.unite(LowerBound(all, isl_dim_set, i, end));
  }
  return outside;
}

absl::StatusOr<isl::union_map> ElementsOf(const KernelPlacement& placement, const TreeLeaf& leaf) {
  const CopyStatement& copy = *CopyAt(placement, leaf);
  if (copy.tile < 0 || copy.tile >= static_cast<int>(placement.kernel->memory.tiles.size()) ||
      copy.places.size() != 2) {
    return CopyFault(placement, copy.name, " is no copy of registers");
  }
  const LocalTile& tile = placement.kernel->memory.tiles[copy.tile];
  const isl::union_map target = copy.places[0].as_union_map();
  if (TupleName(copy.places[0], isl_dim_out) == tile.array) return target;
  const int registers = TileOf(placement, copy.places[0]);
  if (registers < 0 || copy.kind != Kind::kAccumulate ||
      placement.kernel->memory.tiles[registers].array != tile.array) {
    return CopyFault(placement, copy.name, " copies between ", tile.name, " and what is no element of ",
                     tile.array);
  }
  const CopyLeaf load = FindNearest(placement, leaf, /*before=*/true, Kind::kLoad, registers);
  const CopyLeaf store = FindNearest(placement, leaf, /*before=*/false, Kind::kStore, registers);
  const isl::union_map elements = target.apply_range(Held(placement, load));
  const isl::union_set lost =
      leaf.instances()
          .subtract(elements.domain())
          .unite(elements.subtract(target.apply_range(Held(placement, store))).domain());
  if (load.repeated || store.repeated || !lost.is_empty()) {
    return CopyFault(placement, copy.name, " adds to ", TupleName(copy.places[0], isl_dim_out),
                     " where that is not loaded before and stored after");
  }
  return elements;
}

absl::Status CheckCopies(const KernelPlacement& placement) {
  for (const TreeLeaf& leaf : placement.leaves) {
    const CopyStatement* const copy = CopyAt(placement, leaf);
    if (copy == nullptr) continue;
    for (const isl::pw_multi_aff& place : copy->places) {
      const isl::union_set without = leaf.instances().subtract(isl::union_set(place.domain()));
      if (!without.is_empty())
        return CopyFault(placement, copy->name, " runs where it has no place: ", Example(without));
      const int tile = TileOf(placement, place);
      if (tile < 0) continue;
      const isl::set outside = OutsideOf(placement.kernel->memory.tiles[tile], place.ctx());
      const isl::union_map wrong =
          place.as_union_map().intersect_domain(leaf.instances()).intersect_range(isl::union_set(outside));
      if (!wrong.is_empty())
        return CopyFault(placement, copy->name, " has an index outside of the tile: ", Example(wrong.wrap()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckCopiedOnce(const KernelPlacement& placement, const CopyLeaf& leaf, int members) {
  // [p] -> [[p_0, .., p_(members - 1)] -> place], of the runs of the copy
  const auto copied_by = [&](const isl::union_map& schedule, const isl::union_map& target) {
    return schedule.reverse().apply_range(OuterMembers(schedule, members).range_product(target));
  };
  for (const isl::pw_multi_aff& place : leaf.copy->places) {
    if (copied_by(SimpleHull(leaf.leaf->schedule), SimpleHull(place.as_union_map())).is_injective()) continue;
    const isl::union_map copied = copied_by(leaf.leaf->schedule, place.as_union_map());
    if (!copied.is_injective())
      return CopyFault(placement, leaf.copy->name, " copies an element twice, for example ",
                       Example(copied.range()));
  }
  return absl::OkStatus();
}

absl::Status CheckOwners(const KernelPlacement& placement, int tile) {
  std::vector<std::string> names(placement.coordinates.begin() + placement.host_depth,
                                 placement.coordinates.end());
  const bool atomic =
      std::any_of(placement.leaves.begin(), placement.leaves.end(), [&](const TreeLeaf& leaf) {
        const CopyStatement* const copy = CopyAt(placement, leaf);
        return copy != nullptr && copy->tile == tile && copy->atomic;
      });
  if (atomic) names.erase(names.begin() + placement.kernel->reduction_axis);
  const isl::set& context = placement.kernel->context;
  const isl::union_map nothing = isl::union_map::empty(context.ctx());
  isl::union_map loaded = nothing, stored = nothing, possible = nothing;  // { A -> [b, t] }
  for (const TreeLeaf& leaf : placement.leaves) {
    const CopyStatement* const copy = CopyAt(placement, leaf);
    if (copy == nullptr || copy->tile != tile) continue;
    TUNE_ASSIGN_OR_RETURN(const isl::union_map elements, ElementsOf(placement, leaf));
    const isl::union_map running = elements.intersect_params(context);
    possible = possible.unite(ParametersToRange(SimpleHull(running).range(), names));
    isl::union_map& found = copy->kind == Kind::kLoad ? loaded : stored;
    found = found.unite(ParametersToRange(leaf.instances().apply(running), names));
  }
  if (SimpleHull(possible).is_single_valued()) return absl::OkStatus();
  const isl::union_map owners = stored.unite(loaded.intersect_domain(stored.domain()));
  if (IsFunction(owners)) return absl::OkStatus();
  const isl::union_map pairs = owners.reverse().apply_range(owners);  // [b, t] -> [b', t']
  const isl::union_map different = pairs.subtract(pairs.domain().identity());
  return CopyFault(placement, "several threads of a launch copy one element from or to ",
                   placement.kernel->memory.tiles[tile].name, ": ", Example(different.wrap()),
                   " (block, thread)");
}

}  // namespace tune
