#include "common/transform/streamed_tiles/streamed_scop.h"

#include <algorithm>

#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/kernel/tile_loops.h"
#include "common/transform/added_statement.h"
#include "common/transform/copy_statement.h"
#include "common/transform/statement_pullback.h"
#include "common/transform/time_tiles/scop_in_tiles.h"

namespace tune {
namespace {

// Rows of version 0 that are read are loaded so many iterations before: about as long as memory takes.
constexpr int64_t kAhead = 4;

// Instances are [T, I0, ..., s, x1, ..., t]: time tile, tile, iteration, place and version.
class StreamedScop : public ScopInTiles {
 public:
  StreamedScop(const ParsedScop& scop, const StencilLoop& loop, const TileShape& shape,
               const StreamPlan& plan, const isl::set& values)
      : ScopInTiles(scop, loop, shape, values), plan_(plan) {
    for (const char* name : {"tile", "row", "x", "step", "age"}) prefix_.push_back(Unused(name));
    iterations_ = shape.size[0] + shape.margin.before[0] + shape.steps * plan.lag;
    int64_t most = 0;
    for (const StreamedArray& array : plan.arrays) most = std::max(most, array.lag);
    iterations_ += most;
    beside_ = {std::vector<int64_t>(dimensions_, 0), std::vector<int64_t>(dimensions_, 0)};
    for (const Halo& read : shape.reads) {
      for (int i = 1; i < dimensions_; ++i) {
        beside_.before[i] = std::max(beside_.before[i], read.before[i]);
        beside_.after[i] = std::max(beside_.after[i], read.after[i]);
      }
    }
  }

  std::optional<v1::Scop> Make(const isl::schedule& schedule, const std::vector<TiledArray>& arrays) {
    for (const StreamedArray& array : plan_.arrays) AddArrays(array);
    for (size_t s = 0; s < loop_.statements.size(); ++s) {
      if (!Compute(s)) return std::nullopt;
    }
    for (const StreamedArray& array : plan_.arrays) {
      Clear(array);
      Load(array);
      Carry(array);
      if (array.rows > 0) CopyRow(array);
      Shift(array);
    }
    for (const TiledArray& array : arrays) {
      if (array.made) Store(array);
      if (array.leaving) CopyOut(array);
    }
    return Finish(schedule, Order());
  }

 private:
  struct Names {
    std::string own, rows, ahead;
  };

  // The versions of which what is computed beside them reads rows, and the last one that is read.
  static int64_t FirstRow(const StreamedArray& array) { return array.first ? 0 : 1; }
  int64_t LastKept(const StreamedArray& array) const { return array.last ? shape_.steps : shape_.steps - 1; }

  void AddArrays(const StreamedArray& array) {
    const v1::Array& like = scop_.array(array.name);
    const auto extents = [&](const std::vector<int64_t>& kept, bool beside = false) {
      std::vector<int64_t> all = shape_.count;
      all.insert(all.end(), kept.begin(), kept.end());
      for (int i = 1; i < dimensions_; ++i)
        all.push_back(shape_.extents[i] + (beside ? beside_.before[i] + beside_.after[i] : 0));
      return all;
    };
    Names& names = names_[array.name];
    names.own = AddArray(array.name + "_own", like, extents({shape_.steps + 1, array.ages}));
    if (array.rows > 0)
      names.rows = AddArray(array.name + "_rows", like,
                            extents({LastKept(array) - FirstRow(array) + 1, array.rows}, /*beside=*/true));
    if (array.first) names.ahead = AddArray(array.name + "_ahead", like, extents({kAhead}));
    AddTurns(array.name);
  }

  std::string Tiles() const { return NumberedNames("I", dimensions_); }
  // "x1, x2"
  std::string Places() const {
    return CommaList(dimensions_ - 1, [](int i) { return absl::StrCat("x", i + 1); });
  }
  // The same in rows, which have elements beside what the tile computes.
  std::string PlacesInRows() const {
    return CommaList(dimensions_ - 1,
                     [&](int i) { return absl::StrCat("x", i + 1, " + ", beside_.before[i + 1]); });
  }
  std::string NextName() const { return absl::StrCat("S", result_.statements_size()); }
  // "S7[T, I0, I1, s, x1, t]"
  std::string Instance(const std::string& name) const {
    return absl::StrCat(name, "[T, ", Tiles(), ", s, ", Places(), ", t]");
  }
  std::vector<std::string> Iterators() const {
    std::vector<std::string> iterators = {prefix_[0]};
    for (int i = 0; i < dimensions_; ++i) iterators.push_back(absl::StrCat(prefix_[0], i));
    iterators.push_back(prefix_[1]);
    for (int i = 1; i < dimensions_; ++i) iterators.push_back(absl::StrCat(prefix_[2], i));
    iterators.push_back(prefix_[3]);
    return iterators;
  }

  // First element that a tile holds, along a dimension.
  std::string Origin(int i) const {
    return absl::StrCat("(", shape_.size[i], " I", i, " + ", shape_.first[i] - shape_.margin.before[i], ")");
  }
  // "y, e1": the element of the version that the iteration makes at the place.
  std::string Element(const StreamedArray& array, const std::string& iteration = "s") const {
    return CommaList(dimensions_, [&](int i) {
      if (i > 0) return absl::StrCat(Origin(i), " + x", i);
      return absl::StrCat(Origin(0), " + ", iteration, " - ", array.lag, " - ", plan_.lag, " t");
    });
  }
  isl::multi_aff ElementOf(const StreamedArray& array, const std::string& name) const {
    return isl::multi_aff(ctx(), absl::StrCat("{ ", Instance(name), " -> [", Element(array), "] }"));
  }

  // Of all tiles and places.
  std::string Bounds() const {
    std::string bounds = absl::StrCat("0 <= T <= ", LastTile());
    for (int i = 0; i < dimensions_; ++i) absl::StrAppend(&bounds, " and 0 <= I", i, " < ", shape_.count[i]);
    for (int i = 1; i < dimensions_; ++i)
      absl::StrAppend(&bounds, " and 0 <= x", i, " < ", shape_.extents[i]);
    return bounds;
  }
  // Those of all tiles, iterations and places, that fulfil the condition.
  isl::set Instances(const std::string& name, const std::string& condition) const {
    return isl::set(ctx(), absl::StrCat("{ ", Instance(name), " : ", Bounds(), " and 0 <= s < ", iterations_,
                                        " and ", condition, " }"));
  }
  static isl::set Named(isl::set instances, const std::vector<std::string>& iterators) {
    for (size_t i = 0; i < iterators.size(); ++i)
      instances = WithDimensionName(instances, isl_dim_set, static_cast<int>(i), iterators[i]);
    return instances;
  }

  // { S -> A_own[...] }: of version t and age.
  isl::map Own(const std::string& name, const StreamedArray& array, int64_t back, int64_t age) const {
    return isl::map(ctx(), absl::StrCat("{ ", Instance(name), " -> ", names_.at(array.name).own, "[", Tiles(),
                                        ", t - ", back, ", ", age, ", ", Places(), "] }"));
  }
  isl::map Rows(const std::string& name, const StreamedArray& array) const {
    return isl::map(
        ctx(), absl::StrCat("{ ", Instance(name), " -> ", names_.at(array.name).rows, "[", Tiles(), ", t - ",
                            FirstRow(array), ", s mod ", array.rows, ", ", PlacesInRows(), "] }"));
  }
  // { S -> A_ahead[...] }.
  isl::map Ahead(const std::string& name, const StreamedArray& array, int64_t age) const {
    return isl::map(ctx(), absl::StrCat("{ ", Instance(name), " -> ", names_.at(array.name).ahead, "[",
                                        Tiles(), ", ", age, ", ", Places(), "] }"));
  }
  // { S -> A_turns[...] }.
  isl::map Turn(const std::string& name, const StreamedArray& array, int64_t after,
                const std::string& iteration = "s") const {
    return isl::map(ctx(), absl::StrCat("{ ", Instance(name), " -> ", turn_names_.at(array.name), "[(T + ",
                                        after, ") mod 2, ", Element(array, iteration), "] }"));
  }

  // { S -> A_rows[...] } of { S -> [a] }, of the version so many steps back.
  isl::map RowsAt(const isl::map& element, const StreamedArray& array, int64_t back) const {
    const std::string version = absl::StrCat("(t - ", back, ")");
    const std::string row =
        absl::StrCat("(a0 - ", Origin(0), " + ", array.lag, " + ", plan_.lag, " * ", version, ")");
    const std::string elements = NumberedNames("a", dimensions_);
    std::string places;
    for (int i = 1; i < dimensions_; ++i)
      absl::StrAppend(&places, ", a", i, " - ", Origin(i), " + ", beside_.before[i]);
    const isl::map same = IdentityMap(element.domain().space().map_from_set());
    const isl::map place(ctx(), absl::StrCat("{ [T, ", Tiles(), ", s, ", Places(), ", t, ", elements, "] -> ",
                                             names_.at(array.name).rows, "[", Tiles(), ", ", version, " - ",
                                             FirstRow(array), ", ", row, " mod ", array.rows, places, "] }"));
    return FlatRangeProduct(WithoutTupleId(same, isl_dim_out), element).apply_range(place);
  }

  // The statement's instances in tiles. False when they are not affine in time and place.
  bool Compute(size_t s) {
    const ParsedStatement& statement = Statement(s);
    const std::optional<isl::multi_aff> back = InstanceAt(s);
    if (!back) return false;
    const StreamedArray& target = plan_.array(statement.target().array);
    const isl::multi_aff place(
        ctx(), absl::StrCat("{ ", Instance(statement.name), " -> [", loop_.first, " + ", shape_.steps,
                            " T + t - 1, ", Element(target), "] }"));
    const isl::multi_aff origin = back->pullback(place);  // S[T, I, s, x, t] -> S[i]
    const std::string condition = absl::StrCat("1 <= t <= ", shape_.steps);
    isl::set domain = loop_.statements[s].place.range().preimage(place);
    domain = domain.intersect(Instances(statement.name, condition)).coalesce();
    v1::Statement* const changed = result_.mutable_statements(static_cast<int>(loop_.statements[s].index));
    domain = Named(domain, Iterators());
    changed->clear_iterators();
    for (const std::string& iterator : Iterators()) changed->add_iterators(iterator);
    changed->set_domain(IslText(domain));
    PullBack(statement, origin, changed);
    for (int a = 0; a < changed->accesses_size(); ++a) {
      const auto read = plan_.reads.find({s, a});
      if (read == plan_.reads.end()) continue;
      const StreamedArray& array = plan_.array(statement.accesses[a].array);
      const isl::map element =
          WithoutTupleId(AtValues(statement.accesses[a].relation).preimage_domain(origin), isl_dim_out);
      SetAccess(read->second.own ? Own(statement.name, array, read->second.back, read->second.age)
                                 : RowsAt(element, array, read->second.back),
                changed->mutable_accesses(a));
    }
    SetAccess(Own(statement.name, target, 0, 0), changed->mutable_accesses(statement.proto->target()));
    steps_.push_back(domain);
    return true;
  }

  static void SetAccess(const isl::map& relation, v1::Access* access) {
    access->set_array(relation.range_tuple_id().name());
    access->set_relation(IslText(relation));
  }

  void Copy(const isl::set& instances, const isl::map& from, const isl::map& to) {
    AddCopy(instances, Iterators(), from, to, LineOf(), &result_);
  }

  // Before the first iteration: instances [T, I0, ..., x1, ..., t, age].
  std::string FirstInstance(const std::string& name) const {
    return absl::StrCat(name, "[T, ", Tiles(), ", ", Places(), ", t, age]");
  }
  std::vector<std::string> FirstIterators() const {
    std::vector<std::string> iterators = Iterators();
    iterators.erase(iterators.begin() + 1 + dimensions_);
    iterators.push_back(prefix_[4]);
    return iterators;
  }
  isl::set FirstInstances(const std::string& name, const std::string& condition) const {
    const isl::set instances(
        ctx(), absl::StrCat("{ ", FirstInstance(name), " : ", Bounds(), " and ", condition, " }"));
    return Named(instances, FirstIterators());
  }

  // Zeros in all that a tile keeps.
  void Clear(const StreamedArray& array) {
    const Names& names = names_.at(array.name);
    const auto versions = [](int64_t last) { return absl::StrCat("0 <= t <= ", last); };
    Clear(names.own, absl::StrCat(versions(shape_.steps), " and 0 <= age < ", array.ages),
          "t, age, " + Places());
    if (!names.ahead.empty())
      Clear(names.ahead, absl::StrCat("t = 0 and 0 <= age < ", kAhead), "age, " + Places());
    if (array.rows == 0) return;
    const std::string rows =
        absl::StrCat(versions(LastKept(array) - FirstRow(array)), " and 0 <= age < ", array.rows);
    Clear(names.rows, rows, "t, age, " + PlacesInRows());
    if (beside_.before[1] > 0)
      Clear(names.rows, absl::StrCat(rows, " and x1 < ", beside_.before[1]), "t, age, x1");
    if (beside_.after[1] > 0)
      Clear(names.rows, absl::StrCat(rows, " and x1 < ", beside_.after[1]),
            absl::StrCat("t, age, x1 + ", beside_.before[1] + shape_.extents[1]));
  }
  void Clear(const std::string& kept, const std::string& condition, const std::string& subscripts) {
    const std::string name = NextName();
    cleared_.push_back(FirstInstances(name, condition));
    AddZero(cleared_.back(), isl::map(ctx(), absl::StrCat("{ ", FirstInstance(name), " -> ", kept, "[",
                                                          Tiles(), ", ", subscripts, "] }")));
  }
  // A statement that makes elements, { S -> A }, zero.
  void AddZero(const isl::set& instances, const isl::map& element) {
    v1::Statement* const statement = AddStatement(instances, LineOf(), &result_);
    statement->mutable_value()->set_literal("0.0f");
    statement->mutable_value()->set_c_type("float");
    statement->set_target(AddAccess(element, v1::Access::WRITE, statement));
  }

  // What the loop does not write is in each version what it is in the one before.
  void Carry(const StreamedArray& array) {
    const std::string name = NextName();
    const isl::set instances = Instances(name, absl::StrCat("1 <= t <= ", shape_.steps));
    carried_.push_back(instances);
    Copy(instances, Own(name, array, 1, plan_.lag), Own(name, array, 0, 0));
  }

  // { [a] } of which a tile needs what is there before it: all where that is read, else what the loop never
  // writes.
  isl::set Before(const StreamedArray& array) const {
    const isl::set used = BoundingBox(UsedElements(array.name));
    return array.first ? used : used.subtract(array.written).coalesce();
  }

  // Rows of what is there before the time tile, of which version 0 is made.
  void Load(const StreamedArray& array) {
    const isl::set before = Before(array);
    if (before.is_empty()) return;
    if (array.first) {
      LoadAhead(array, before);
    } else {
      Fetch(array, before, 0);
    }
    CopyIn(array.name, before);
  }

  void LoadAhead(const StreamedArray& array, const isl::set& before) {
    for (int64_t age = 0; age < kAhead; ++age) FetchFirst(array, before, age);
    const auto all = [&] { return Named(Instances(NextName(), "t = 0"), Iterators()); };
    const std::string name = NextName();
    loads_.push_back(all());
    Copy(loads_.back(), Ahead(name, array, kAhead - 1), Own(name, array, 0, 0));
    for (int64_t age = kAhead - 1; age > 0; --age) {
      const std::string older = NextName();
      loads_.push_back(all());
      Copy(loads_.back(), Ahead(older, array, age - 1), Ahead(older, array, age));
    }
    // Where nothing is loaded zero: what is still on its way would have to be waited for to be kept.
    loads_.push_back(all());
    AddZero(loads_.back(), Ahead(TupleName(loads_.back()), array, 0));
    Fetch(array, before, kAhead);
  }

  // Of the iteration that is so many later.
  void Fetch(const StreamedArray& array, const isl::set& before, int64_t ahead) {
    const std::string name = NextName();
    const std::string later = absl::StrCat("s + ", ahead);
    const isl::multi_aff element(ctx(),
                                 absl::StrCat("{ ", Instance(name), " -> [", Element(array, later), "] }"));
    const std::string condition = absl::StrCat("t = 0 and ", later, " < ", shape_.extents[0] + array.lag);
    const isl::set instances = before.preimage(element).intersect(Instances(name, condition)).coalesce();
    if (instances.is_empty()) return;
    loads_.push_back(instances);
    Copy(instances, Turn(name, array, 0, later), ahead > 0 ? Ahead(name, array, 0) : Own(name, array, 0, 0));
  }

  // Those of the first iterations: instances as Clear's.
  void FetchFirst(const StreamedArray& array, const isl::set& before, int64_t age) {
    const std::string name = NextName(), instance = FirstInstance(name);
    const std::string row = absl::StrCat(kAhead - 1 - age);
    const isl::multi_aff element(ctx(), absl::StrCat("{ ", instance, " -> [", Element(array, row), "] }"));
    const isl::set instances =
        before.preimage(element).intersect(FirstInstances(name, absl::StrCat("t = 0 and age = ", age)));
    if (instances.is_empty()) return;
    cleared_.push_back(instances.coalesce());
    const isl::map from(ctx(), absl::StrCat("{ ", instance, " -> ", turn_names_.at(array.name), "[T mod 2, ",
                                            Element(array, row), "] }"));
    const isl::map to(ctx(), absl::StrCat("{ ", instance, " -> ", names_.at(array.name).ahead, "[", Tiles(),
                                          ", age, ", Places(), "] }"));
    AddCopy(cleared_.back(), FirstIterators(), from, to, LineOf(), &result_);
  }

  void CopyRow(const StreamedArray& array) {
    const std::string name = NextName();
    const isl::set instances = Instances(name, absl::StrCat(FirstRow(array), " <= t <= ", LastKept(array)));
    rows_.push_back(instances);
    Copy(instances, Own(name, array, 0, 0), Rows(name, array));
  }

  // All are an iteration older; oldest first.
  void Shift(const StreamedArray& array) {
    for (int64_t age = array.ages - 1; age > 0; --age) {
      const std::string name = NextName();
      const isl::set instances = Instances(name, absl::StrCat("0 <= t <= ", LastKept(array)));
      shifts_.push_back(instances);
      Copy(instances, Own(name, array, 0, age - 1), Own(name, array, 0, age));
    }
  }

  // The tile's own elements that are needed later, of the last version that the time tile makes.
  void Store(const TiledArray& array) {
    const int64_t last = loop_.last - loop_.first - LastTile() * shape_.steps + 1;
    if (last == shape_.steps) return Store(array, absl::StrCat("t = ", last));
    if (LastTile() > 0) Store(array, absl::StrCat("t = ", shape_.steps, " and T < ", LastTile()));
    Store(array, absl::StrCat("t = ", last, " and T = ", LastTile()));
  }

  void Store(const TiledArray& tiled, std::string condition) {
    const StreamedArray& array = plan_.array(tiled.name);
    const std::string name = NextName();
    const isl::set made = FlatRangeProduct(IdentityMap(tiled.made->domain().space().map_from_set()),
                                           WithoutTupleId(*tiled.made, isl_dim_out))
                              .range();  // { [T, a] }
    const isl::multi_aff element(ctx(),
                                 absl::StrCat("{ ", Instance(name), " -> [T, ", Element(array), "] }"));
    const std::string row = absl::StrCat("s - ", array.lag, " - ", plan_.lag, " t");
    for (int i = 0; i < dimensions_; ++i) {
      const int64_t first = shape_.margin.before[i];
      absl::StrAppend(&condition, " and ", first, " <= ", i > 0 ? absl::StrCat("x", i) : row, " < ",
                      first + shape_.size[i]);
    }
    const isl::set instances = made.preimage(element).intersect(Instances(name, condition)).coalesce();
    if (instances.is_empty()) return;
    stores_.push_back(instances);
    Copy(instances, Own(name, array, 0, 0), Turn(name, array, 1));
  }

  // The places of an iteration, and what each of them does, { S[T, I, s, x, t] } in `statements`.
  using Parts = std::vector<isl::set>;
  // For each version all statements.
  isl::schedule Versions(const Parts& statements) const {
    std::optional<isl::schedule> parts;
    for (const isl::set& statement : statements)
      parts = InSequence(parts, isl::schedule::from_domain(isl::union_set(statement)));
    return InsertPartialSchedule(*parts, LoopAlong(parts->domain(), 2 * dimensions_ + 1));
  }
  // One after the other.
  static isl::schedule After(std::optional<isl::schedule> first, const Parts& statements) {
    for (const isl::set& statement : statements)
      first = InSequence(first, isl::schedule::from_domain(isl::union_set(statement)));
    return *first;
  }
  isl::schedule OverPlaces(isl::schedule schedule, int first) const {
    for (int i = dimensions_ - 2; i >= 0; --i)
      schedule = InsertPartialSchedule(schedule, LoopAlong(schedule.domain(), first + i));
    return schedule;
  }

  isl::schedule Order() const {
    std::optional<isl::schedule> place;
    if (!loads_.empty()) place = After(place, loads_);
    Parts made = carried_;
    made.insert(made.end(), steps_.begin(), steps_.end());
    place = InSequence(place, Versions(made));
    if (!rows_.empty()) place = InSequence(place, Versions(rows_));
    place = After(place, stores_);
    if (!shifts_.empty()) place = InSequence(place, Versions(shifts_));
    isl::schedule row = OverPlaces(*place, 2 + dimensions_);
    row = InsertPartialSchedule(row, LoopAlong(row.domain(), 1 + dimensions_));
    std::optional<isl::schedule> tile;
    for (const isl::set& cleared : cleared_) tile = InSequence(tile, LoopsOver(cleared, 2 * dimensions_));
    tile = InSequence(OverPlaces(*tile, 1 + dimensions_), row);
    for (int i = dimensions_; i > 0; --i) tile = InsertPartialSchedule(*tile, LoopAlong(tile->domain(), i));
    tile = tile->root().child(0).insert_mark(NamedId(ctx(), kTileLoops)).schedule();
    return InsertPartialSchedule(*tile, LoopAlong(tile->domain(), 0));
  }

  const StreamPlan& plan_;
  int64_t iterations_ = 0;  // of a tile
  Halo beside_;  // elements of rows beside what a tile computes, which are zero: places need no conditions
  std::vector<std::string> prefix_;     // of the iterators: tiles, row, place, version, age
  std::map<std::string, Names> names_;  // by array
  Parts cleared_, loads_, carried_, steps_, rows_, stores_, shifts_;
};

}  // namespace

std::optional<v1::Scop> StreamStencil(const ParsedScop& scop, const isl::schedule& schedule,
                                      const StencilLoop& loop, const TileShape& shape, const StreamPlan& plan,
                                      const std::vector<TiledArray>& arrays, const isl::set& values) {
  return StreamedScop(scop, loop, shape, plan, values).Make(schedule, arrays);
}

}  // namespace tune
