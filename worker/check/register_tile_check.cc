#include "worker/check/register_tile_check.h"

#include "common/isl/tuple_name.h"
#include "worker/check/tile_copy.h"

namespace tune {
namespace {

using Kind = CopyStatement::Kind;

// Checks one register tile that holds elements of its array.
class TileCheck {
 public:
  TileCheck(const KernelPlacement& placement, const std::vector<TileUse>& uses, int number,
            const ParsedScop& scop, const isl::set& values)
      : placement_(placement),
        tile_(placement.kernel->memory.tiles[number]),
        number_(number),
        scop_(scop),
        values_(values),
        uses_(uses) {}

  absl::Status Check() const {
    for (const TileUse& use : uses_) {
      if (use.number != number_) continue;
      if (use.access->reads()) TUNE_RETURN_IF_ERROR(CheckServed(use, Kind::kLoad));
      if (use.access->writes()) TUNE_RETURN_IF_ERROR(CheckServed(use, Kind::kStore));
    }
    TUNE_RETURN_IF_ERROR(CheckOwners(placement_, number_));
    TUNE_RETURN_IF_ERROR(CheckAccumulations());
    return CheckOtherReferences();
  }

 private:
  template <typename... Parts>
  absl::Status Error(const Parts&... parts) const {
    return absl::FailedPreconditionError(absl::StrCat("kernel ", placement_.name(), ": ", parts...));
  }

  // The instances' elements are loaded before, or stored after.
  absl::Status CheckServed(const TileUse& use, Kind kind) const {
    const bool before = kind == Kind::kLoad;
    const char* const what = before ? "loaded before" : "stored after";
    const CopyLeaf leaf = FindNearest(placement_, *use.leaf, before, kind, number_);
    if (leaf.leaf == nullptr)
      return Error(use.Text(), " is never ", what, " ", Example(use.instances), " uses it");
    if (leaf.repeated)
      return Error(use.Text(), " is copied by ", leaf.copy->name, " in a way that cannot be checked");
    TUNE_ASSIGN_OR_RETURN(const isl::union_map elements, ElementsOf(placement_, *leaf.leaf));
    const int members = leaf.parting.members;
    const isl::union_map wanted =  // S -> [tile[index] -> A[element]]
        isl::union_map(use.place.range_product(use.element)).intersect_domain(use.instances);
    const isl::union_map copied =  // [p] -> [tile -> A]
        OuterMembers(leaf.leaf->schedule, members)
            .reverse()
            .apply_range(leaf.copy->places[1].as_union_map().range_product(elements));
    const isl::union_map served =
        OuterMembers(use.leaf->schedule.intersect_domain(use.instances), members).apply_range(copied);
    const isl::union_map missing = wanted.subtract(served);
    if (!missing.is_empty())
      return Error(use.Text(), " is not ", what, " it is used, for example ", Example(missing.wrap()));
    return CheckCopiedOnce(placement_, leaf, members);
  }

  // Between load and store the array's element is out of date: nothing else of the thread may touch it.
  absl::Status CheckOtherReferences() const {
    for (const ParsedStatement& statement : scop_.statements) {
      for (size_t a = 0; a < statement.accesses.size(); ++a) {
        if (statement.accesses[a].array != tile_.array || InRegisters({statement.name, static_cast<int>(a)}))
          continue;
        for (const TreeLeaf& leaf : placement_.leaves) {
          const isl::union_set instances = InstancesOf(leaf.instances(), statement.name);
          if (instances.is_empty()) continue;
          TUNE_RETURN_IF_ERROR(
              CheckMeets(leaf, Changing(statement, a).intersect_domain(instances),
                         absl::StrCat("reference ", a, " of ", statement.name, " to ", tile_.array)));
        }
      }
    }
    return absl::OkStatus();
  }

  // Neither may sums be added to it in the array.
  absl::Status CheckAccumulations() const {
    for (const TreeLeaf& leaf : placement_.leaves) {
      const CopyStatement* const copy = CopyAt(placement_, leaf);
      if (copy == nullptr || copy->kind != Kind::kAccumulate) continue;
      const isl::union_map target = copy->places.at(0).as_union_map().intersect_domain(leaf.instances());
      if (TupleName(copy->places[0], isl_dim_out) == tile_.array)
        TUNE_RETURN_IF_ERROR(CheckMeets(leaf, target, copy->name));
    }
    return absl::OkStatus();
  }

  // `elements`, { X -> A }, are touched in memory at the leaf.
  absl::Status CheckMeets(const TreeLeaf& leaf, const isl::union_map& elements,
                          const std::string& who) const {
    const CopyLeaf load = FindNearest(placement_, leaf, /*before=*/true, Kind::kLoad, number_);
    const CopyLeaf store = FindNearest(placement_, leaf, /*before=*/false, Kind::kStore, number_);
    if (load.leaf == nullptr || store.leaf == nullptr) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const isl::union_map loaded, ElementsOf(placement_, *load.leaf));
    TUNE_ASSIGN_OR_RETURN(const isl::union_map stored, ElementsOf(placement_, *store.leaf));
    const isl::union_set held =  // { A }, of the thread
        load.leaf->instances().apply(loaded).unite(store.leaf->instances().apply(stored));
    const isl::union_map met = elements.intersect_range(held);
    if (met.is_empty()) return absl::OkStatus();
    return Error(who, " meets an element that ", tile_.name, " holds: ", Example(met.wrap()));
  }

  // { S -> A } of the reference. Without those to which x[f] = x[g], with x[g] in this tile, writes what is
  // there.
  isl::union_map Changing(const ParsedStatement& statement, size_t access) const {
    const isl::union_map elements =
        isl::union_map(statement.accesses[access].relation).intersect_params(values_);
    const v1::Expression& value = statement.proto->value();
    if (statement.proto->update() != v1::NONE || static_cast<size_t>(statement.proto->target()) != access ||
        value.kind_case() != v1::Expression::kAccess)
      return elements;
    for (const TileUse& use : uses_) {
      if (use.reference == ReferenceName(statement.name, static_cast<int>(value.access())) &&
          use.number == number_)
        return elements.subtract(isl::union_map(use.element));
    }
    return elements;
  }

  // Whether the reference goes to this tile or to one of partial values, which reach the element later.
  bool InRegisters(const ReferenceName& reference) const {
    for (const TileUse& use : uses_) {
      if (use.reference == reference && (use.number == number_ || use.tile->combined_by != v1::NONE))
        return true;
    }
    return false;
  }

  const KernelPlacement& placement_;
  const LocalTile& tile_;
  const int number_;
  const ParsedScop& scop_;
  const isl::set& values_;
  const std::vector<TileUse>& uses_;
};

}  // namespace

absl::Status CheckRegisterTiles(const KernelPlacement& placement, const std::vector<TileUse>& uses,
                                const ParsedScop& scop, const isl::set& values) {
  const std::vector<LocalTile>& tiles = placement.kernel->memory.tiles;
  for (size_t t = 0; t < tiles.size(); ++t) {
    if (tiles[t].shared || tiles[t].combined_by != v1::NONE) continue;
    TUNE_RETURN_IF_ERROR(TileCheck(placement, uses, static_cast<int>(t), scop, values).Check());
  }
  return absl::OkStatus();
}

}  // namespace tune
