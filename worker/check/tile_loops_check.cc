#include "worker/check/tile_loops_check.h"

#include <map>
#include <utility>

namespace tune {
namespace {

// Pairs of equal values, by all functions of `values`, { S -> [v] }.
isl::union_map Equal(const isl::union_map& pairs, const isl::union_map& values, int members) {
  if (members == 0) return pairs.intersect_domain(values.domain()).intersect_range(values.domain());
  return pairs.eq_at(values.as_multi_union_pw_aff());
}

}  // namespace

absl::Status CheckTileLoops(const std::vector<KernelPlacement>& placements, const isl::union_map& pairs) {
  std::map<std::pair<int, int>, std::vector<const KernelPlacement*>> nests;  // by the place of their loops
  for (const KernelPlacement& placement : placements) {
    const TileLoops& tiles = placement.kernel->kernel->tile_loops;
    if (tiles.count > 0) nests[{tiles.first, tiles.first + tiles.count}].push_back(&placement);
  }
  for (const auto& [loops, kernels] : nests) {
    isl::union_map around = isl::union_map::empty(pairs.ctx()), tile = around;  // { S -> [h] }
    for (const KernelPlacement* kernel : kernels) {
      around = around.unite(OuterMembers(kernel->places, loops.first));
      tile = tile.unite(OuterMembers(kernel->places, loops.second));
    }
    const isl::union_map together = Equal(pairs, around, loops.first);
    const isl::union_map apart = together.subtract(Equal(together, tile, loops.second));
    if (!apart.is_empty())
      return absl::FailedPreconditionError(
          absl::StrCat("a dependence connects two tiles of one launch: ", Example(apart.wrap())));
  }
  return absl::OkStatus();
}

}  // namespace tune
