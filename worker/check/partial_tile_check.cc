#include "worker/check/partial_tile_check.h"

#include "worker/check/tile_copy.h"

namespace tune {
namespace {

using Kind = CopyStatement::Kind;

absl::Status CheckUpdate(const KernelPlacement& placement, const TileUse& use) {
  const v1::Statement& statement = *use.statement->proto;
  if (statement.update() == use.tile->combined_by &&
      static_cast<int>(statement.target()) == use.reference.second)
    return absl::OkStatus();
  return use.Fault(placement, "is no update by the operator that combines the tile's values");
}

// Between the updates and their accumulation the block combines the values.
absl::Status CheckCombined(const KernelPlacement& placement, const TileUse& use,
                           const CopyLeaf& accumulation) {
  const CopyLeaf combination =
      FindNearest(placement, *use.leaf, /*before=*/false,
                  [](const CopyStatement& copy) { return copy.kind == Kind::kCombine; });
  if (combination.leaf == nullptr || combination.repeated ||
      !PartingOf(*combination.leaf, *accumulation.leaf).forward)
    return use.Fault(placement, "is not combined before it is accumulated");
  const int members = combination.parting.members;
  const isl::union_map combined_by =  // S -> Combine
      OuterMembers(use.leaf->schedule.intersect_domain(use.instances), members)
          .apply_range(OuterMembers(combination.leaf->schedule, members).reverse());
  const isl::union_set missing = use.instances.subtract(combined_by.domain());
  if (missing.is_empty()) return absl::OkStatus();
  return use.Fault(placement, "is not combined after ", Example(missing));
}

// The name of the coordinate along which threads share the reduction.
std::vector<std::string> ReductionThread(const KernelPlacement& placement) {
  const int axis = placement.kernel->reduction_axis;
  if (axis < 0) return {};
  return {placement.coordinates.at(placement.host_depth + placement.axes + axis)};
}

// One of the threads along the reduction's axis adds the value of all to the element.
absl::Status CheckAccumulated(const KernelPlacement& placement, const TileUse& use,
                              const CopyLeaf& accumulation) {
  TUNE_ASSIGN_OR_RETURN(const isl::union_map elements, ElementsOf(placement, *accumulation.leaf));
  const int members = accumulation.parting.members;
  const std::vector<std::string> along = ReductionThread(placement);
  const isl::union_map wanted =  // S -> [tile[index] -> A[element]]
      ProjectOut(isl::union_map(use.place.range_product(use.element)).intersect_domain(use.instances).wrap(),
                 along)
          .unwrap();
  const isl::union_map added =  // [p] -> [tile -> A]
      OuterMembers(accumulation.leaf->schedule, members)
          .reverse()
          .apply_range(accumulation.copy->places[1].as_union_map().range_product(elements));
  const isl::union_map prefixes = OuterMembers(use.leaf->schedule.intersect_domain(use.instances), members);
  const isl::union_map served =
      ProjectOut(prefixes.wrap(), along).unwrap().apply_range(ProjectOut(added.wrap(), along).unwrap());
  const isl::union_map missing = wanted.subtract(served);
  if (!missing.is_empty())
    return use.Fault(placement, "is not added after it is used, for example ", Example(missing.wrap()));
  // The values begin with what changes nothing once, when the thread begins.
  return CheckCopiedOnce(placement, accumulation, 0);
}

}  // namespace

absl::Status CheckPartialTiles(const KernelPlacement& placement, const std::vector<TileUse>& uses) {
  for (const TileUse& use : uses) {
    if (use.tile->combined_by == v1::NONE) continue;
    TUNE_RETURN_IF_ERROR(CheckUpdate(placement, use));
    const CopyLeaf accumulation =
        FindNearest(placement, *use.leaf, /*before=*/false, Kind::kAccumulate, use.number);
    if (accumulation.leaf == nullptr || accumulation.repeated)
      return use.Fault(placement, "is never added after ", Example(use.instances), " uses it");
    TUNE_RETURN_IF_ERROR(CheckCombined(placement, use, accumulation));
    TUNE_RETURN_IF_ERROR(CheckAccumulated(placement, use, accumulation));
    TUNE_RETURN_IF_ERROR(CheckOwners(placement, use.number));
  }
  return absl::OkStatus();
}

}  // namespace tune
