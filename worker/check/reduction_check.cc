#include "worker/check/reduction_check.h"

#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/spaces.h"
#include "worker/check/simple_hull.h"
#include "worker/check/tile_copy.h"

namespace tune {
namespace {

class ReducedElementsCheck {
 public:
  ReducedElementsCheck(const KernelPlacement& placement, const std::vector<TileUse>& uses,
                       const ParsedScop& scop, const isl::set& values)
      : placement_(placement), scop_(scop), values_(values), uses_(uses) {
    CollectAccesses();
  }

  absl::Status Check(isl::union_map* pairs) const {
    const isl::union_set updates = updates_.domain();
    isl::union_map moved = pairs->intersect_domain(updates).unite(pairs->intersect_range(updates));
    if (moved.is_empty()) return absl::OkStatus();
    isl::union_map only = moved;  // through the updates' elements
    if (!operands_.range().intersect(writes_.range()).is_empty()) {
      // { S -> S' }: of an update and what meets its element; of an update and what writes its operands
      moved = moved.intersect(Symmetric(updates_.apply_range(accesses_.reverse())));
      only = moved.subtract(Symmetric(operands_.apply_range(writes_.reverse())));
    }
    *pairs = pairs->subtract(only);
    TUNE_RETURN_IF_ERROR(CheckThreads(moved));
    return CheckOrder(moved);
  }

 private:
  static isl::union_map Symmetric(const isl::union_map& pairs) { return pairs.unite(pairs.reverse()); }

  void CollectAccesses() {
    accesses_ = writes_ = operands_ = updates_ = isl::union_map::empty(values_.ctx());
    const isl::union_set instances = placement_.places.domain();
    for (const ParsedStatement& statement : scop_.statements) {
      const isl::union_set own = InstancesOf(instances, statement.name);
      if (own.is_empty()) continue;
      const bool updates = IsUpdate(statement.name, -1);
      for (size_t a = 0; a < statement.accesses.size(); ++a) {
        const isl::union_map access = isl::union_map(statement.accesses[a].relation)
                                          .intersect_params(values_)
                                          .intersect_domain(own)
                                          .project_out_all_params();
        accesses_ = accesses_.unite(access);
        if (statement.accesses[a].writes()) writes_ = writes_.unite(access);
        if (!updates) continue;
        isl::union_map& kind = IsUpdate(statement.name, static_cast<int>(a)) ? updates_ : operands_;
        kind = kind.unite(access);
      }
    }
  }

  // Whether the reference, any for -1, goes to a tile of partial values.
  bool IsUpdate(const std::string& statement, int access) const {
    for (const TileUse& use : uses_) {
      if (use.reference.first == statement && (access < 0 || use.reference.second == access)) return true;
    }
    return false;
  }

  // { S -> [h, b, t] }: the thread that accumulates the update's element.
  isl::union_map Owners(const TileUse& use) const {
    const CopyLeaf leaf = Accumulation(use);
    const isl::union_map own = OwnPlaces(use);
    if (leaf.leaf == nullptr || placement_.kernel->reduction_axis < 0) return own;
    const isl::union_set accumulating =
        leaf.leaf->instances().intersect_params(values_).intersect_params(placement_.kernel->context);
    const isl::union_set threads =  // { [h, b, t] }
        WithoutParameters(ParametersToRange(accumulating, placement_.coordinates).range());
    // [h, b, t] -> [h, b, t'], different along the reduction's axis only
    const int all = static_cast<int>(placement_.coordinates.size());
    const int along = placement_.host_depth + placement_.axes + placement_.kernel->reduction_axis;
    isl::map line = IdentityMap(SetSpace(values_.ctx(), 0, all).map_from_set());
    line = ProjectOut(line, isl_dim_out, along, 1);
    line = InsertDimensions(line, isl_dim_out, along, 1);
    const isl::union_map reached = own.apply_range(isl::union_map(line));
    // Most often it is enough that the coordinate along the axis is a constant.
    const isl::union_map simple = reached.intersect_range(threads.affine_hull());
    return simple.is_single_valued() ? simple : reached.intersect_range(threads);
  }

  isl::union_map OwnPlaces(const TileUse& use) const {
    return placement_.places.intersect_domain(WithoutParameters(use.instances));
  }

  CopyLeaf Accumulation(const TileUse& use) const {
    return FindNearest(placement_, *use.leaf, /*before=*/false, CopyStatement::Kind::kAccumulate, use.number);
  }

  absl::Status CheckThreads(const isl::union_map& moved) const {
    isl::union_map owners = placement_.places.subtract_domain(updates_.domain());
    for (const TileUse& use : uses_) owners = owners.unite(Owners(use));
    if (!IsFunction(owners))
      return absl::FailedPreconditionError(absl::StrCat(
          "kernel ", placement_.name(), ": several threads accumulate the values of one reduction"));
    const isl::union_map apart = moved.subtract(moved.eq_at(owners.as_multi_union_pw_aff()));
    if (apart.is_empty()) return absl::OkStatus();
    return Error("the thread that accumulates the element of a reduction is not that of a dependence on it: ",
                 apart);
  }

  // What comes before an update must come before its element is accumulated, what comes after, after.
  absl::Status CheckOrder(const isl::union_map& moved) const {
    for (const TileUse& use : uses_) {
      const CopyLeaf accumulation = Accumulation(use);
      if (accumulation.leaf == nullptr) continue;  // CheckRegisterTiles will say so
      const isl::union_set updates = OwnPlaces(use).domain();
      for (const TreeLeaf& leaf : placement_.leaves) {
        if (&leaf == accumulation.leaf) continue;
        const isl::union_set others = WithoutParameters(leaf.instances().intersect_params(values_));
        const Parting parting = PartingOf(leaf, *accumulation.leaf);
        const bool once = parting.members == 0;
        isl::union_map wrong = isl::union_map::empty(values_.ctx());
        if (!once || !parting.forward)
          wrong = wrong.unite(moved.intersect_domain(others).intersect_range(updates));
        if (!once || parting.forward)
          wrong = wrong.unite(moved.intersect_domain(updates).intersect_range(others));
        if (!wrong.is_empty())
          return Error("the element of a reduction is not accumulated in time for ", wrong);
      }
    }
    return absl::OkStatus();
  }

  absl::Status Error(absl::string_view what, const isl::union_map& pairs) const {
    return absl::FailedPreconditionError(
        absl::StrCat("kernel ", placement_.name(), ": ", what, ExamplePair(pairs, placement_, placement_)));
  }

  const KernelPlacement& placement_;
  const ParsedScop& scop_;
  const isl::set& values_;
  const std::vector<TileUse>& uses_;
  // { S -> A } of the kernel: all, writes, operands of updates, their elements
  isl::union_map accesses_, writes_, operands_, updates_;
};

}  // namespace

absl::Status CheckReducedElements(const KernelPlacement& placement, const ParsedScop& scop,
                                  const isl::set& values, isl::union_map* pairs) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<TileUse> all, FindTileUses(placement, scop, values));
  std::vector<TileUse> uses;
  for (const TileUse& use : all) {
    if (use.tile->combined_by != v1::NONE) uses.push_back(use);
  }
  if (uses.empty()) return absl::OkStatus();
  return ReducedElementsCheck(placement, uses, scop, values).Check(pairs);
}

}  // namespace tune
