#include "worker/check/tile_use.h"

#include "common/isl/dimensions.h"
#include "common/isl/tuple_name.h"
#include "worker/check/tile_copy.h"

namespace tune {
std::string TileUse::Text() const {
  return absl::StrCat("reference ", reference.second, " of ", reference.first, " to ", access->array,
                      " through ", tile->name);
}

absl::StatusOr<std::vector<TileUse>> FindTileUses(const KernelPlacement& placement, const ParsedScop& scop,
                                                  const isl::set& values) {
  const LocalMemory& memory = placement.kernel->memory;
  std::vector<TileUse> uses;
  for (const auto& [reference, place] : memory.references) {
    if (place.is_null()) continue;
    TileUse use;
    use.reference = reference;
    for (const ParsedStatement& statement : scop.statements) {
      if (statement.name == reference.first) use.statement = &statement;
    }
    const std::string tile = TupleName(place, isl_dim_out);
    for (size_t t = 0; t < memory.tiles.size(); ++t) {
      if (memory.tiles[t].name != tile) continue;
      use.tile = &memory.tiles[t];
      use.number = static_cast<int>(t);
    }
    if (use.statement == nullptr || use.tile == nullptr || reference.second < 0 ||
        reference.second >= static_cast<int>(use.statement->accesses.size()) ||
        use.statement->accesses[reference.second].array != use.tile->array ||
        Dimensions(place, isl_dim_out) != static_cast<int>(use.tile->extents.size())) {
      return absl::FailedPreconditionError(
          absl::StrCat("kernel ", placement.name(), ": reference ", reference.second, " of ", reference.first,
                       " goes to ", tile.empty() ? "no tile" : tile, ", which is no tile of its array"));
    }
    use.access = &use.statement->accesses[reference.second];
    use.place = place.as_map().intersect_params(values);
    use.element = use.access->relation.intersect_params(values);
    for (const TreeLeaf& leaf : placement.leaves) {
      use.leaf = &leaf;
      use.instances = InstancesOf(leaf.instances(), use.statement->name).intersect_params(values);
      if (!use.instances.is_empty()) uses.push_back(use);
    }
  }
  return uses;
}

absl::Status CheckIndex(const KernelPlacement& placement, const TileUse& use) {
  const auto error = [&](const isl::union_set& instance, const char* what) {
    return absl::FailedPreconditionError(absl::StrCat("kernel ", placement.name(), ": ", use.Text(), " ",
                                                      what, ", for example at ", Example(instance)));
  };
  if (use.tile->row_length < (use.tile->extents.empty() ? 1 : use.tile->extents.back()))
    return error(use.instances, "has a tile whose rows overlap");
  const isl::union_set without = use.instances.subtract(isl::union_set(use.place.domain()));
  if (!without.is_empty()) return error(without, "has no index in the tile");
  const isl::map places = use.place.intersect_domain(use.instances.as_set());
  const isl::map outside = places.intersect_range(OutsideOf(*use.tile, places.ctx()));
  if (outside.is_empty()) return absl::OkStatus();
  return error(isl::union_set(outside.domain()), "has an index outside of the tile");
}

}  // namespace tune
