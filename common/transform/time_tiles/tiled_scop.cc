#include "common/transform/time_tiles/tiled_scop.h"

#include <algorithm>
#include <functional>
#include <set>

#include "absl/strings/str_join.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_part.h"
#include "common/isl/tuple_name.h"
#include "common/kernel/tile_loops.h"
#include "common/scop/scop_names.h"
#include "common/transform/copy_statement.h"
#include "common/transform/statement_pullback.h"

namespace tune {
namespace {

// "a0, a1"
std::string List(int count, const std::function<std::string(int)>& item) {
  std::vector<std::string> items;
  for (int i = 0; i < count; ++i) items.push_back(item(i));
  return absl::StrJoin(items, ", ");
}
std::string Variables(const std::string& name, int count) {
  return List(count, [&](int i) { return absl::StrCat(name, i); });
}

class TiledScop {
 public:
  TiledScop(const ParsedScop& scop, const StencilLoop& loop, const TileShape& shape, const isl::set& values)
      : scop_(scop),
        loop_(loop),
        shape_(shape),
        values_(values),
        dimensions_(loop.dimensions),
        result_(scop.proto),
        names_(NamesOf(scop.proto)) {
    for (const char* name : {"tile", "step", "x", "turn"}) prefix_.push_back(Unused(name));
  }

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
    const isl::schedule tiled = Order();
    const isl::union_set loop = isl::union_set(OriginalDomains());
    const auto other = [&](const isl::union_set& domain) -> std::optional<isl::schedule> {
      if (domain.universe().is_disjoint(loop.universe())) return std::nullopt;
      return tiled;
    };
    result_.set_schedule(IslText(SchedulePart(schedule.root().child(0), schedule.domain(), other)));
    return result_;
  }

 private:
  std::string Unused(std::string name) {
    const auto taken = [&] {
      return std::any_of(names_.begin(), names_.end(),
                         [&](const std::string& other) { return other.compare(0, name.size(), name) == 0; });
    };
    while (taken()) name += "_";
    return name;
  }

  std::vector<std::string> TileIterators() const {
    std::vector<std::string> iterators = {prefix_[0]};
    for (int i = 0; i < dimensions_; ++i) iterators.push_back(absl::StrCat(prefix_[0], i));
    return iterators;
  }
  std::vector<std::string> PlaceIterators() const {
    std::vector<std::string> iterators;
    for (int i = 0; i < dimensions_; ++i) iterators.push_back(absl::StrCat(prefix_[2], i));
    return iterators;
  }
  static std::vector<std::string> Joined(std::vector<std::string> first,
                                         const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
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
    return List(dimensions_, [&](int i) { return Element(i); });
  }

  isl::ctx ctx() const { return values_.ctx(); }

  void AddArrays(const std::string& name) {
    const v1::Array& array = scop_.array(name);
    const isl::set used = UsedElements(name);
    std::vector<int64_t> whole = {2}, tile = shape_.count;
    for (int i = 0; i < dimensions_; ++i) {
      whole.push_back(used.dim_max_val(i).num_si() + 1);
      tile.push_back(shape_.extents[i]);
    }
    tile_names_[name] = AddArray(name + "_tile", array, tile);
    turn_names_[name] = AddArray(name + "_turns", array, whole);
  }

  std::string AddArray(std::string name, const v1::Array& like, const std::vector<int64_t>& extents) {
    while (!names_.insert(name).second) name += "_";
    v1::Array* added = result_.add_arrays();
    added->set_name(name);
    added->set_element_type(like.element_type());
    added->set_declared_inside(true);
    for (const int64_t extent : extents) added->add_extents()->set_c_expression(absl::StrCat(extent));
    return name;
  }

  // { [a] }: all that the loop's statements access.
  isl::set UsedElements(const std::string& name) const {
    isl::set used;
    for (const StencilStatement& statement : loop_.statements) {
      for (const ParsedAccess& access : scop_.statements[statement.index].accesses) {
        if (access.array != name) continue;
        const isl::set own =
            WithoutTupleId(AtValues(access.relation).intersect_domain(statement.place.domain()).range());
        used = used.is_null() ? own : used.unite(own);
      }
    }
    return used;
  }

  isl::map AtValues(const isl::map& map) const {
    return map.intersect_params(values_).project_out_all_params();
  }

  // The statement's instances in tiles. False when they are not affine in time and place.
  bool Tile(size_t s) {
    const StencilStatement& loop_statement = loop_.statements[s];
    const ParsedStatement& statement = scop_.statements[loop_statement.index];
    const isl::pw_multi_aff inverse = loop_statement.place.reverse().as_pw_multi_aff();
    if (inverse.n_piece() != 1) return false;
    isl::multi_aff back;  // [t, e] -> S[x]
    inverse.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) { back = piece; });
    const std::string instance = absl::StrCat(statement.name, "[T, ", Variables("I", dimensions_), ", t, ",
                                              Variables("x", dimensions_), "]");
    const isl::multi_aff place(ctx(), absl::StrCat("{ ", instance, " -> [t, ", Elements(), "] }"));
    const isl::multi_aff origin = back.pullback(place);  // S[T, I, t, x] -> S[x]
    const isl::set tiles(ctx(), absl::StrCat("{ ", instance, " : ", Bounds(s), " }"));
    isl::set domain = loop_statement.place.range().preimage(place).intersect(tiles).coalesce();
    const std::vector<std::string> iterators =
        Joined(Joined(TileIterators(), {prefix_[1]}), PlaceIterators());
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
        ctx(), absl::StrCat("{ [T, ", Variables("I", dimensions_), ", ", Variables("a", dimensions_), "] -> ",
                            name, "[", Variables("I", dimensions_), ", ",
                            List(dimensions_, [&](int i) { return Index(i); }), "] }"));
    return element.apply_range(index);
  }

  // "S7[T, I0, x0]" of the next statement.
  std::string NewInstance() const {
    return absl::StrCat("S", result_.statements_size(), "[T, ", Variables("I", dimensions_), ", ",
                        Variables("x", dimensions_), "]");
  }

  isl::map ToTurn(const std::string& instance, const std::string& array, int64_t after) const {
    return isl::map(ctx(), absl::StrCat("{ ", instance, " -> ", turn_names_.at(array), "[(T + ", after,
                                        ") mod 2, ", Elements(), "] }"));
  }
  isl::map ToTile(const std::string& instance, const std::string& array) const {
    return isl::map(
        ctx(), absl::StrCat("{ ", instance, " -> ", tile_names_.at(array), "[", Variables("I", dimensions_),
                            ", ", Variables("x", dimensions_), "] }"));
  }

  // What a tile takes from before its time, and that it is there: of all elements in the box around those
  // that are read, as exact analyses of more conditions take too long.
  void Load(const TiledArray& array) {
    isl::set wanted;  // { [T, I, a] }
    for (const auto& [reference, outside] : array.outside) {
      const auto& [s, access] = reference;
      const ParsedStatement& statement = scop_.statements[loop_.statements[s].index];
      const isl::set reading = domains_[s].intersect(outside.preimage(origins_[s]));
      const isl::map element = WithoutTupleId(
          AtValues(statement.accesses[access].relation).preimage_domain(origins_[s]), isl_dim_out);
      const isl::set own = FlatRangeProduct(TilesOf(reading), element).range();
      wanted = wanted.is_null() ? own : wanted.unite(own);
    }
    if (wanted.is_null() || wanted.is_empty()) return;
    const std::string instance = NewInstance();
    const isl::multi_aff place(ctx(), absl::StrCat("{ ", instance, " -> [T, ", Variables("I", dimensions_),
                                                   ", ", Elements(), "] }"));
    const isl::set elements = Box(ProjectOut(wanted, isl_dim_set, 0, 1 + dimensions_));  // { [a] }
    const isl::map in_tiles(
        ctx(), absl::StrCat("{ [", Variables("a", dimensions_), "] -> [T, ", Variables("I", dimensions_),
                            ", ", Variables("a", dimensions_), "] }"));
    const isl::set instances =
        elements.apply(in_tiles).preimage(place).intersect(Box(wanted.preimage(place)));
    loads_.push_back(instances);
    AddCopy(instances, Joined(TileIterators(), PlaceIterators()), ToTurn(instance, array.name, 0),
            ToTile(instance, array.name), LineOf(), &result_);
    CopyIn(array, elements);
  }

  static isl::set Box(const isl::set& set) {
    isl::set box = isl::set::universe(set.space());
    for (int i = 0; i < Dimensions(set, isl_dim_set); ++i) {
      box = LowerBound(box, isl_dim_set, i, static_cast<int>(set.dim_min_val(i).num_si()));
      box = UpperBound(box, isl_dim_set, i, static_cast<int>(set.dim_max_val(i).num_si()));
    }
    return box;
  }

  int LineOf() const { return scop_.statements[loop_.statements[0].index].proto->line(); }

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

  // `elements`, { [a] }, into both copies.
  void CopyIn(const TiledArray& array, const isl::set& elements) {
    const std::string name = absl::StrCat("S", result_.statements_size());
    const std::string subscripts = Variables("x", dimensions_);
    const isl::map turns(
        ctx(), absl::StrCat("{ [", subscripts, "] -> ", name, "[turn, ", subscripts, "] : 0 <= turn <= 1 }"));
    const isl::set instances = elements.apply(turns);
    before_.push_back(instances);
    const std::string instance = absl::StrCat(name, "[turn, ", subscripts, "]");
    AddCopy(instances, Joined({prefix_[3]}, PlaceIterators()),
            isl::map(ctx(), absl::StrCat("{ ", instance, " -> ", array.name, "[", subscripts, "] }")),
            isl::map(ctx(), absl::StrCat("{ ", instance, " -> ", turn_names_.at(array.name), "[turn, ",
                                         subscripts, "] }")),
            LineOf(), &result_);
  }

  // What comes after the loop, from the copy that the last time tile has written.
  void CopyOut(const TiledArray& array) {
    const std::string name = absl::StrCat("S", result_.statements_size());
    const std::string subscripts = Variables("x", dimensions_);
    const int64_t last = (loop_.last - loop_.first) / shape_.steps;
    const isl::set instances = WithTupleName(*array.leaving, name);
    after_.push_back(instances);
    const std::string instance = absl::StrCat(name, "[", subscripts, "]");
    AddCopy(instances, PlaceIterators(),
            isl::map(ctx(), absl::StrCat("{ ", instance, " -> ", turn_names_.at(array.name), "[",
                                         (last + 1) % 2, ", ", subscripts, "] }")),
            isl::map(ctx(), absl::StrCat("{ ", instance, " -> ", array.name, "[", subscripts, "] }")),
            LineOf(), &result_);
  }

  // { S -> [i] }: the dimension of all instances.
  static isl::multi_union_pw_aff Loop(const isl::union_set& domain, int dimension) {
    isl::union_pw_aff loop = EmptyUnionPwAff(domain.space());
    domain.foreach_set([&](const isl::set& set) {
      const isl::pw_aff value(VariableOn(set.space(), dimension));
      loop = loop.union_add(isl::union_pw_aff(value));
    });
    return isl::multi_union_pw_aff(loop);
  }

  static isl::schedule Sequence(const std::optional<isl::schedule>& first, const isl::schedule& second) {
    return first ? ScheduleSequence(*first, second) : second;
  }

  isl::schedule Order() const {
    std::optional<isl::schedule> steps;
    for (const isl::set& domain : domains_) steps = Sequence(steps, LoopsOver(domain, 2 + dimensions_));
    steps = InsertPartialSchedule(*steps, Loop(steps->domain(), 1 + dimensions_));
    std::optional<isl::schedule> tile;
    for (const isl::set& load : loads_) tile = Sequence(tile, LoopsOver(load, 1 + dimensions_));
    tile = Sequence(tile, *steps);
    for (const isl::set& store : stores_) tile = Sequence(tile, LoopsOver(store, 1 + dimensions_));
    for (int i = dimensions_; i > 0; --i) tile = InsertPartialSchedule(*tile, Loop(tile->domain(), i));
    tile = tile->root().child(0).insert_mark(NamedId(ctx(), kTileLoops)).schedule();
    tile = InsertPartialSchedule(*tile, Loop(tile->domain(), 0));
    std::optional<isl::schedule> all;
    for (const isl::set& copy : before_) all = Sequence(all, LoopsOver(copy));
    all = Sequence(all, *tile);
    for (const isl::set& copy : after_) all = Sequence(all, LoopsOver(copy));
    return *all;
  }

  isl::union_set OriginalDomains() const {
    isl::union_set domains = isl::union_set::empty(ctx());
    for (const StencilStatement& statement : loop_.statements)
      domains = domains.unite(isl::union_set(statement.place.domain()));
    return domains;
  }

  const ParsedScop& scop_;
  const StencilLoop& loop_;
  const TileShape& shape_;
  const isl::set values_;
  const int dimensions_;
  v1::Scop result_;
  std::set<std::string> names_;      // C identifiers that are taken
  std::vector<std::string> prefix_;  // of the iterators: tiles, time step, place, copy
  std::map<std::string, std::string> tile_names_, turn_names_;  // by array
  // Parallel to the loop's statements: { S[T, I, t, x] }, and their origins in the loop.
  std::vector<isl::set> domains_;
  std::vector<isl::multi_aff> origins_;
  std::vector<isl::set> loads_, stores_, before_, after_;
};

}  // namespace

std::optional<v1::Scop> TileStencil(const ParsedScop& scop, const isl::schedule& schedule,
                                    const StencilLoop& loop, const TileShape& shape,
                                    const std::vector<TiledArray>& arrays, const isl::set& values) {
  return TiledScop(scop, loop, shape, values).Make(schedule, arrays);
}

}  // namespace tune
