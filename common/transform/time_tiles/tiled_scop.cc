#include "common/transform/time_tiles/tiled_scop.h"

#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/kernel/tile_loops.h"
#include "common/transform/copy_statement.h"
#include "common/transform/statement_pullback.h"
#include "common/transform/time_tiles/scop_in_tiles.h"

namespace tune {
namespace {

class TiledScop : public ScopInTiles {
 public:
  TiledScop(const ParsedScop& scop, const StencilLoop& loop, const TileShape& shape, const isl::set& values)
      : ScopInTiles(scop, loop, shape, values), tile_(Unused("tile")), step_(Unused("step")) {}

  std::optional<v1::Scop> Make(const isl::schedule& schedule, const std::vector<TiledArray>& arrays) {
    for (const TiledArray& array : arrays) AddArrays(array.name);
    for (size_t s = 0; s < loop_.statements.size(); ++s) {
      if (!Tile(s)) return std::nullopt;
    }
    for (const TiledArray& array : arrays) {
      Load(array);
      if (array.made) Store(array);
      if (array.leaving) CopyOut(array);
    }
    return Finish(schedule, Order());
  }

 private:
  std::vector<std::string> TileIterators() const {
    std::vector<std::string> iterators = {tile_};
    for (int i = 0; i < dimensions_; ++i) iterators.push_back(absl::StrCat(tile_, i));
    return iterators;
  }
  // The array's element at index x of tile I, along a dimension.
  std::string Element(int i) const {
    return absl::StrCat(shape_.size[i], " I", i, " + x", i, " + ", shape_.first[i] - shape_.margin.before[i]);
  }
  // The other way round, of element a.
  std::string Index(int i) const {
    return absl::StrCat("a", i, " - ", shape_.size[i], " I", i, " - ",
                        shape_.first[i] - shape_.margin.before[i]);
  }
  std::string Elements() const {
    return CommaList(dimensions_, [&](int i) { return Element(i); });
  }

  void AddArrays(const std::string& name) {
    const v1::Array& array = scop_.array(name);
    std::vector<int64_t> tile = shape_.count;
    tile.insert(tile.end(), shape_.extents.begin(), shape_.extents.end());
    tile_names_[name] = AddArray(name + "_tile", array, tile);
    AddTurns(name);
  }

  // The statement's instances in tiles. False when they are not affine in time and place.
  bool Tile(size_t s) {
    const StencilStatement& loop_statement = loop_.statements[s];
    const ParsedStatement& statement = Statement(s);
    const std::optional<isl::multi_aff> back = InstanceAt(s);
    if (!back) return false;
    const std::string instance = absl::StrCat(statement.name, "[T, ", NumberedNames("I", dimensions_),
                                              ", t, ", NumberedNames("x", dimensions_), "]");
    const isl::multi_aff place(ctx(), absl::StrCat("{ ", instance, " -> [t, ", Elements(), "] }"));
    const isl::multi_aff origin = back->pullback(place);  // S[T, I, t, x] -> S[x]
    const isl::set tiles(ctx(), absl::StrCat("{ ", instance, " : ", Bounds(s), " }"));
    isl::set domain = loop_statement.place.range().preimage(place).intersect(tiles).coalesce();
    const std::vector<std::string> iterators = Joined(Joined(TileIterators(), {step_}), PlaceIterators());
    for (size_t i = 0; i < iterators.size(); ++i)
      domain = WithDimensionName(domain, isl_dim_set, static_cast<int>(i), iterators[i]);
    v1::Statement* const changed = result_.mutable_statements(static_cast<int>(loop_statement.index));
    changed->clear_iterators();
    for (const std::string& iterator : iterators) changed->add_iterators(iterator);
    changed->set_domain(IslText(domain));
    PullBack(statement, origin, changed);
    for (int a = 0; a < changed->accesses_size(); ++a) {
      const auto tile = tile_names_.find(changed->accesses(a).array());
      if (tile == tile_names_.end()) continue;
      const isl::map relation = statement.accesses[a].relation.preimage_domain(origin);
      changed->mutable_accesses(a)->set_array(tile->second);
      changed->mutable_accesses(a)->set_relation(IslText(InTile(relation, tile->second)));
    }
    domains_.push_back(domain);
    origins_.push_back(origin);
    return true;
  }

  // Conditions on an instance: its time step is one of the time tile, and its place no further beyond the
  // tile than values of it are needed.
  std::string Bounds(size_t s) const {
    const std::string step = absl::StrCat("(t - ", loop_.first, " - ", shape_.steps, " T)");
    std::string bounds = absl::StrCat("0 <= ", step, " < ", shape_.steps);
    for (int i = 0; i < dimensions_; ++i) {
      const int64_t own = shape_.margin.before[i];
      const auto reach = [&](int64_t halo, int64_t growth) {
        return absl::StrCat(halo + growth * (shape_.steps - 1), " - ", growth, " * ", step);
      };
      absl::StrAppend(&bounds, " and 0 <= I", i, " < ", shape_.count[i], " and x", i, " >= ", own, " - (",
                      reach(shape_.halos[s].before[i], shape_.growth.before[i]), ") and x", i, " < ",
                      own + shape_.size[i], " + ", reach(shape_.halos[s].after[i], shape_.growth.after[i]));
    }
    return bounds;
  }

  // { S[T, I, ...] -> [T, I] }
  isl::map TilesOf(const isl::set& instances) const {
    const isl::map same = IdentityMap(instances.space().map_from_set()).intersect_domain(instances);
    const int dimensions = Dimensions(instances, isl_dim_set);
    return WithoutTupleId(ProjectOut(same, isl_dim_out, 1 + dimensions_, dimensions - 1 - dimensions_),
                          isl_dim_out);
  }

  // { S -> A_tile[I, x] } of { S[T, I, ...] -> A[a] }
  isl::map InTile(const isl::map& relation, const std::string& name) const {
    const isl::set instances = isl::set::universe(relation.domain().space());
    const isl::map element = FlatRangeProduct(TilesOf(instances), WithoutTupleId(relation, isl_dim_out));
    const isl::map index(
        ctx(), absl::StrCat("{ [T, ", NumberedNames("I", dimensions_), ", ", NumberedNames("a", dimensions_),
                            "] -> ", name, "[", NumberedNames("I", dimensions_), ", ",
                            CommaList(dimensions_, [&](int i) { return Index(i); }), "] }"));
    return element.apply_range(index);
  }

  // "S7[T, I0, x0]" of the next statement.
  std::string NewInstance() const {
    return absl::StrCat("S", result_.statements_size(), "[T, ", NumberedNames("I", dimensions_), ", ",
                        NumberedNames("x", dimensions_), "]");
  }

  isl::map ToTurn(const std::string& instance, const std::string& array, int64_t after) const {
    return isl::map(ctx(), absl::StrCat("{ ", instance, " -> ", turn_names_.at(array), "[(T + ", after,
                                        ") mod 2, ", Elements(), "] }"));
  }
  isl::map ToTile(const std::string& instance, const std::string& array) const {
    return isl::map(
        ctx(), absl::StrCat("{ ", instance, " -> ", tile_names_.at(array), "[",
                            NumberedNames("I", dimensions_), ", ", NumberedNames("x", dimensions_), "] }"));
  }

  // What a tile takes from before its time, and that it is there: of all elements in the box around those
  // that are read, as exact analyses of more conditions take too long.
  void Load(const TiledArray& array) {
    isl::set wanted;  // { [T, I, a] }
    for (const auto& [reference, outside] : array.outside) {
      const auto& [s, access] = reference;
      const ParsedStatement& statement = Statement(s);
      const isl::set reading = domains_[s].intersect(outside.preimage(origins_[s]));
      const isl::map element = WithoutTupleId(
          AtValues(statement.accesses[access].relation).preimage_domain(origins_[s]), isl_dim_out);
      const isl::set own = FlatRangeProduct(TilesOf(reading), element).range();
      wanted = wanted.is_null() ? own : wanted.unite(own);
    }
    if (wanted.is_null() || wanted.is_empty()) return;
    const std::string instance = NewInstance();
    const isl::multi_aff place(ctx(), absl::StrCat("{ ", instance, " -> [T, ",
                                                   NumberedNames("I", dimensions_), ", ", Elements(), "] }"));
    const isl::set elements = BoundingBox(ProjectOut(wanted, isl_dim_set, 0, 1 + dimensions_));  // { [a] }
    const isl::map in_tiles(
        ctx(), absl::StrCat("{ [", NumberedNames("a", dimensions_), "] -> [T, ",
                            NumberedNames("I", dimensions_), ", ", NumberedNames("a", dimensions_), "] }"));
    const isl::set instances =
        elements.apply(in_tiles).preimage(place).intersect(BoundingBox(wanted.preimage(place)));
    loads_.push_back(instances);
    AddCopy(instances, Joined(TileIterators(), PlaceIterators()), ToTurn(instance, array.name, 0),
            ToTile(instance, array.name), LineOf(), &result_);
    CopyIn(array.name, elements);
  }

  // The tile's own elements that are needed later.
  void Store(const TiledArray& array) {
    const std::string instance = NewInstance();
    const isl::set made = FlatRangeProduct(IdentityMap(array.made->domain().space().map_from_set()),
                                           WithoutTupleId(*array.made, isl_dim_out))
                              .range();  // { [T, a] }
    const isl::multi_aff element(ctx(), absl::StrCat("{ ", instance, " -> [T, ", Elements(), "] }"));
    std::string own;
    for (int i = 0; i < dimensions_; ++i) {
      const int64_t first = shape_.margin.before[i];
      absl::StrAppend(&own, i > 0 ? " and " : "", "0 <= I", i, " < ", shape_.count[i], " and ", first,
                      " <= x", i, " < ", first + shape_.size[i]);
    }
    const isl::set instances = made.preimage(element)
                                   .intersect(isl::set(ctx(), absl::StrCat("{ ", instance, " : ", own, " }")))
                                   .coalesce();
    stores_.push_back(instances);
    AddCopy(instances, Joined(TileIterators(), PlaceIterators()), ToTile(instance, array.name),
            ToTurn(instance, array.name, 1), LineOf(), &result_);
  }

  isl::schedule Order() const {
    std::optional<isl::schedule> steps;
    for (const isl::set& domain : domains_) steps = InSequence(steps, LoopsOver(domain, 2 + dimensions_));
    steps = InsertPartialSchedule(*steps, LoopAlong(steps->domain(), 1 + dimensions_));
    std::optional<isl::schedule> tile;
    for (const isl::set& load : loads_) tile = InSequence(tile, LoopsOver(load, 1 + dimensions_));
    tile = InSequence(tile, *steps);
    for (const isl::set& store : stores_) tile = InSequence(tile, LoopsOver(store, 1 + dimensions_));
    for (int i = dimensions_; i > 0; --i) tile = InsertPartialSchedule(*tile, LoopAlong(tile->domain(), i));
    tile = tile->root().child(0).insert_mark(NamedId(ctx(), TileLoopsMark())).schedule();
    tile = InsertPartialSchedule(*tile, LoopAlong(tile->domain(), 0));
    return *tile;
  }

  const std::string tile_, step_;                  // prefixes of iterators
  std::map<std::string, std::string> tile_names_;  // by array
  // Parallel to the loop's statements: { S[T, I, t, x] }, and their origins in the loop.
  std::vector<isl::set> domains_;
  std::vector<isl::multi_aff> origins_;
  std::vector<isl::set> loads_, stores_;
};

}  // namespace

std::optional<v1::Scop> TileStencil(const ParsedScop& scop, const isl::schedule& schedule,
                                    const StencilLoop& loop, const TileShape& shape,
                                    const std::vector<TiledArray>& arrays, const isl::set& values) {
  return TiledScop(scop, loop, shape, values).Make(schedule, arrays);
}

}  // namespace tune
