#include "worker/check/tile_loops_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "common/dependence/tagged_flow.h"

namespace tune {
namespace {

// Pairs of equal values, by all functions of `values`, { S -> [v] }.
isl::union_map Equal(const isl::union_map& pairs, const isl::union_map& values, int members) {
  if (members == 0) return pairs.intersect_domain(values.domain()).intersect_range(values.domain());
  return pairs.eq_at(values.as_multi_union_pw_aff());
}

// Of local arrays that no other kernels use.
std::set<std::string> ArraysOf(const std::vector<const KernelPlacement*>& kernels,
                               const std::vector<KernelPlacement>& all, const ParsedScop& scop) {
  std::set<std::string> arrays;
  for (const v1::Array& array : scop.proto.arrays()) {
    if (array.declared_inside()) arrays.insert(array.name());
  }
  for (const KernelPlacement& placement : all) {
    if (std::find(kernels.begin(), kernels.end(), &placement) != kernels.end()) continue;
    for (const std::string& statement : placement.kernel->kernel->statements) {
      for (const ParsedAccess& access : scop.statement(statement).accesses) arrays.erase(access.array);
    }
  }
  return arrays;
}

// { S -> S' }: the flow of values through these arrays.
isl::union_map FlowThrough(const std::set<std::string>& arrays, const ParsedScop& scop,
                           const Dependences& dependences) {
  isl::union_set sources = isl::union_set::empty(dependences.tagged_flow.ctx());  // { [S -> R] }
  for (const ParsedStatement& statement : scop.statements) {
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      if (arrays.count(statement.accesses[a].array) == 0) continue;
      const isl::set instances = isl::set::universe(statement.domain.space());
      sources = sources.unite(TaggedInstances(instances, statement.name, static_cast<int>(a)));
    }
  }
  return WithoutTags(dependences.tagged_flow.intersect_domain(sources));
}

// The kernels in one nest of tiles' loops.
class NestCheck {
 public:
  // `first`, `end`: of the loops.
  NestCheck(const std::vector<const KernelPlacement*>& kernels, int first, int end)
      : first_(first), end_(end) {
    around_ = tile_ = isl::union_map::empty(kernels.at(0)->places.ctx());
    for (const KernelPlacement* kernel : kernels) {
      around_ = around_.unite(OuterMembers(kernel->places, first));
      tile_ = tile_.unite(OuterMembers(kernel->places, end));
    }
  }

  absl::Status CheckTiles(const isl::union_map& pairs) const {
    const isl::union_map together = Equal(pairs, around_, first_);
    const isl::union_map apart = together.subtract(Equal(together, tile_, end_));
    if (apart.is_empty()) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat("a dependence connects two tiles of one launch: ", Example(apart.wrap())));
  }

  absl::Status CheckValues(const isl::union_map& flow) const {
    const isl::union_map own = flow.intersect_domain(tile_.domain()).intersect_range(tile_.domain());
    const isl::union_map other = own.subtract(Equal(own, tile_, end_));
    if (other.is_empty()) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat("a value of an array that tiles alone use comes from another tile or launch: ",
                     Example(other.wrap())));
  }

 private:
  const int first_, end_;
  isl::union_map around_, tile_;  // { S -> [h] }
};

}  // namespace

absl::Status CheckTileLoops(const std::vector<KernelPlacement>& placements, const ParsedScop& scop,
                            const Dependences& dependences, const isl::set& values) {
  std::map<std::pair<int, int>, std::vector<const KernelPlacement*>> nests;  // by the place of their loops
  for (const KernelPlacement& placement : placements) {
    const TileLoops& tiles = placement.kernel->kernel->tile_loops;
    if (tiles.count > 0) nests[{tiles.first, tiles.first + tiles.count}].push_back(&placement);
  }
  for (const auto& [loops, kernels] : nests) {
    const NestCheck nest(kernels, loops.first, loops.second);
    TUNE_RETURN_IF_ERROR(nest.CheckTiles(dependences.validity().intersect_params(values)));
    const std::set<std::string> arrays = ArraysOf(kernels, placements, scop);
    TUNE_RETURN_IF_ERROR(nest.CheckValues(FlowThrough(arrays, scop, dependences).intersect_params(values)));
  }
  return absl::OkStatus();
}

}  // namespace tune
