#include "common/transform/streamed_tiles/streamed_scop.h"

#include <algorithm>

#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/kernel/tile_loops.h"
#include "common/scop/expression_parts.h"
#include "common/transform/added_statement.h"
#include "common/transform/copy_statement.h"
#include "common/transform/statement_pullback.h"
#include "common/transform/streamed_tiles/streamed_places.h"

namespace tune {
namespace {

// Division by zero ends a program then.
bool DividesIntegers(const v1::Expression& value) {
  const std::string &op = value.operation().op(), &type = value.c_type();
  bool divides = (op == "/" || op == "%") && type != "float" && type != "double";
  ForEachPart(value, [&](const v1::Expression& part) { divides = divides || DividesIntegers(part); });
  return divides;
}

class StreamedScop : public StreamedPlaces {
 public:
  using StreamedPlaces::StreamedPlaces;

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
  // The statement's instances in tiles. False when they are not affine in time and place. What reads kept
  // elements alone is computed at all places, and taken where the loop has an instance: branches would keep
  // points from being computed side by side.
  bool Compute(size_t s) {
    const ParsedStatement& statement = Statement(s);
    const std::optional<isl::multi_aff> back = InstanceAt(s);
    if (!back) return false;
    const StreamedArray& target = plan_.array(statement.target().array);
    const isl::multi_aff place(
        ctx(), absl::StrCat("{ ", Instance(statement.name), " -> [", loop_.first, " + ", shape_.steps,
                            " T + t - 1, ", Element(target), "] }"));
    const isl::multi_aff origin = back->pullback(place);                     // S[T, I, s, x, t] -> S[i]
    const isl::map written = ProjectOut(place.as_map(), isl_dim_out, 0, 1);  // S[T, I, s, x, t] -> [e]
    const std::string condition = absl::StrCat("1 <= t <= ", shape_.steps);
    isl::set domain = loop_.statements[s].place.range().preimage(place);
    domain = domain.intersect(Instances(statement.name, condition)).coalesce();
    v1::Statement* const changed = result_.mutable_statements(static_cast<int>(loop_.statements[s].index));
    domain = Named(domain, Iterators());
    changed->clear_iterators();
    for (const std::string& iterator : Iterators()) changed->add_iterators(iterator);
    PullBack(statement, origin, changed);
    const isl::set all = Named(Instances(statement.name, condition), Iterators());
    bool anywhere = !DividesIntegers(changed->value());
    for (int a = 0; a < changed->accesses_size(); ++a) {
      if (a == statement.proto->target()) continue;
      const auto read = plan_.reads.find({s, a});
      anywhere = anywhere && read != plan_.reads.end();
      if (read == plan_.reads.end()) continue;
      const StreamedArray& array = plan_.array(statement.accesses[a].array);
      const isl::map element =
          WithoutTupleId(AtValues(statement.accesses[a].relation).preimage_domain(origin), isl_dim_out);
      const isl::map kept = read->second.own ? Own(statement.name, array, read->second.back, read->second.age)
                                             : RowsAt(element, array, read->second.back);
      // { [d] }, how far it reads. Where a statement is for one row, others would read what is being written.
      const auto distances = [&](const isl::set& instances) {
        return element.intersect_domain(instances).apply_domain(written).deltas();
      };
      anywhere = anywhere && (read->second.own || (AreInRows(kept.intersect_domain(all), array) &&
                                                   distances(all).is_subset(distances(domain))));
      SetAccess(kept, changed->mutable_accesses(a));
    }
    v1::Access* const made = changed->mutable_accesses(statement.proto->target());
    changed->set_domain(IslText(anywhere ? all : domain));
    SetAccess(anywhere ? Made(statement.name, target) : Own(statement.name, target, 0, 0), made);
    if (anywhere && statement.target().reads()) {
      const std::string before = NextName();
      AddStep(WithTupleName(all, before), Own(before, target, 0, 0), Made(before, target));
    }
    steps_.push_back(anywhere ? all : domain);
    if (!anywhere) return true;
    const std::string after = NextName();
    AddStep(WithTupleName(domain, after), Made(after, target), Own(after, target, 0, 0));
    return true;
  }

  // Of a step: copies what the instances have in `from` to `to`.
  void AddStep(const isl::set& instances, const isl::map& from, const isl::map& to) {
    steps_.push_back(Named(instances, Iterators()));
    Copy(steps_.back(), from, to);
  }

  // Whether all that { S -> A_rows } reads is there.
  bool AreInRows(const isl::map& read, const StreamedArray& array) const {
    const isl::set elements = read.range();
    for (int i = 1; i < dimensions_; ++i) {
      const int at = dimensions_ + 1 + i;  // of the subscripts: tiles, version, iteration, place
      if (elements.dim_min_val(at).num_si() < 0 ||
          elements.dim_max_val(at).num_si() >= shape_.extents[i] + beside_.before[i] + beside_.after[i])
        return false;
    }
    return array.rows > 0;
  }

  static void SetAccess(const isl::map& relation, v1::Access* access) {
    access->set_array(relation.range_tuple_id().name());
    access->set_relation(IslText(relation));
  }

  void Copy(const isl::set& instances, const isl::map& from, const isl::map& to) {
    AddCopy(instances, Iterators(), from, to, LineOf(), &result_);
  }

  // Zeros in all that a tile keeps.
  void Clear(const StreamedArray& array) {
    const Names& names = names_.at(array.name);
    const auto versions = [](int64_t last) { return absl::StrCat("0 <= t <= ", last); };
    Clear(names.own, absl::StrCat(versions(shape_.steps), " and 0 <= age < ", array.ages),
          "t, age, " + KeptPoints());
    if (array.rows > 0)
      ClearRows(names.rows,
                absl::StrCat(versions(LastKept(array) - FirstKept(array)), " and 0 <= age < ", array.rows), 1,
                "t, age");
  }
  // Along the dimension and those after it: as many elements beside places as there are, by the first places.
  void ClearRows(const std::string& rows, const std::string& condition, int i,
                 const std::string& subscripts) {
    if (i == dimensions_) return Clear(rows, condition, subscripts);
    const auto clear = [&](int64_t first, int64_t count) {
      if (count == 0) return;
      ClearRows(rows, absl::StrCat(condition, " and ", ElementOfRow(i), " < ", count), i + 1,
                absl::StrCat(subscripts, ", ", ElementOfRow(i), " + ", first));
    };
    const int64_t before = beside_.before[i], after = beside_.after[i];
    clear(before, shape_.extents[i]);
    clear(0, before);
    clear(before + shape_.extents[i], after);
  }
  void Clear(const std::string& kept, const std::string& condition, const std::string& subscripts) {
    cleared_.push_back(Zero(kept, condition, subscripts));
  }
  // The instances of a statement that makes them zero.
  isl::set Zero(const std::string& kept, const std::string& condition, const std::string& subscripts) {
    const std::string name = NextName();
    const isl::set instances = FirstInstances(name, condition);
    AddZero(instances, isl::map(ctx(), absl::StrCat("{ ", FirstInstance(name), " -> ", kept, "[", Tiles(),
                                                    ", ", subscripts, "] }")));
    return instances;
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
      Renew([&](const std::string& name) { return Own(name, array, 0, 0); });
      Fetch(array, before, 0);
    }
    CopyIn(array.name, before);
  }

  // Zero before something is loaded there: what was there, where nothing is, could still be on its way, and
  // would have to be waited for to be kept.
  void Renew(const std::function<isl::map(const std::string&)>& kept) {
    const std::string name = NextName();
    loads_.push_back(Named(Instances(name, "t = 0"), Iterators()));
    AddZero(loads_.back(), kept(name));
  }

  void LoadAhead(const StreamedArray& array, const isl::set& before) {
    first_rows_.push_back(Zero(names_.at(array.name).ahead, absl::StrCat("t = 0 and 0 <= age < ", ahead_),
                               "age, " + KeptPoints()));
    for (int64_t age = 0; age < ahead_; ++age) FetchFirst(array, before, age);
    const auto all = [&] { return Named(Instances(NextName(), "t = 0"), Iterators()); };
    const std::string name = NextName();
    loads_.push_back(all());
    Copy(loads_.back(), Ahead(name, array, ahead_ - 1), Own(name, array, 0, 0));
    for (int64_t age = ahead_ - 1; age > 0; --age) {
      const std::string older = NextName();
      loads_.push_back(all());
      Copy(loads_.back(), Ahead(older, array, age - 1), Ahead(older, array, age));
    }
    Renew([&](const std::string& newest) { return Ahead(newest, array, 0); });
    Fetch(array, before, ahead_);
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

  // Those of the first iterations.
  void FetchFirst(const StreamedArray& array, const isl::set& before, int64_t age) {
    const std::string name = NextName(), instance = FirstInstance(name);
    const std::string row = absl::StrCat(ahead_ - 1 - age);
    const isl::multi_aff element(ctx(), absl::StrCat("{ ", instance, " -> [", Element(array, row), "] }"));
    const isl::set instances =
        before.preimage(element).intersect(FirstInstances(name, absl::StrCat("t = 0 and age = ", age)));
    if (instances.is_empty()) return;
    first_rows_.push_back(instances.coalesce());
    const isl::map from(ctx(), absl::StrCat("{ ", instance, " -> ", turn_names_.at(array.name), "[T mod 2, ",
                                            Element(array, row), "] }"));
    const isl::map to(ctx(), absl::StrCat("{ ", instance, " -> ", names_.at(array.name).ahead, "[", Tiles(),
                                          ", age, ", KeptPoints(), "] }"));
    AddCopy(first_rows_.back(), FirstIterators(), from, to, LineOf(), &result_);
  }

  void CopyRow(const StreamedArray& array) {
    const std::string name = NextName();
    const isl::set instances = Instances(name, absl::StrCat(FirstKept(array), " <= t <= ", LastKept(array)));
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
      absl::StrAppend(&condition, " and ", first, " <= ", i > 0 ? ElementOfRow(i) : row, " < ",
                      first + shape_.size[i]);
    }
    const isl::set instances = made.preimage(element).intersect(Instances(name, condition)).coalesce();
    if (instances.is_empty()) return;
    stores_.push_back(instances);
    Copy(instances, Own(name, array, 0, 0), Turn(name, array, 1));
  }

  // The places of an iteration, and what each of them does, { S[T, I, s, x, t] } in `statements`.
  using Parts = std::vector<isl::set>;
  // One after the other.
  static isl::schedule After(std::optional<isl::schedule> first, const Parts& statements) {
    for (const isl::set& statement : statements)
      first = InSequence(first, isl::schedule::from_domain(isl::union_set(statement)));
    return *first;
  }
  // For each version all statements.
  isl::schedule Versions(const Parts& statements) const {
    const isl::schedule parts = After(std::nullopt, statements);
    return InsertPartialSchedule(parts, LoopAlong(parts.domain(), 2 * dimensions_ + (points_ > 1 ? 2 : 1)));
  }
  // Over all points of a place. Some statement is to have instances at all of them, for a loop whose bounds
  // are numbers: what threads keep in registers is found then.
  isl::schedule OverPoints(const isl::schedule& schedule, int dimension) const {
    return points_ > 1 ? InsertPartialSchedule(schedule, LoopAlong(schedule.domain(), dimension)) : schedule;
  }
  isl::schedule OverPlaces(isl::schedule schedule, int first) const {
    for (int i = dimensions_ - 2; i >= 0; --i)
      schedule = InsertPartialSchedule(schedule, LoopAlong(schedule.domain(), first + i));
    return schedule;
  }

  isl::schedule Order() const {
    const int point = 2 * dimensions_ + 1;
    Parts made = carried_;
    made.insert(made.end(), steps_.begin(), steps_.end());
    std::optional<isl::schedule> place;
    if (!loads_.empty()) place = OverPoints(After(std::nullopt, loads_), point);
    place = InSequence(place, OverPoints(Versions(made), point));
    std::optional<isl::schedule> kept;
    if (!rows_.empty()) kept = Versions(rows_);
    kept = After(kept, stores_);
    if (!shifts_.empty()) kept = InSequence(kept, Versions(shifts_));
    place = InSequence(place, OverPoints(*kept, point));
    isl::schedule row = OverPlaces(*place, 2 + dimensions_);
    row = InsertPartialSchedule(row, LoopAlong(row.domain(), 1 + dimensions_));
    std::optional<isl::schedule> first;
    for (const isl::set& cleared : cleared_) first = InSequence(first, LoopsOver(cleared, 2 * dimensions_));
    std::optional<isl::schedule> rows;
    for (const isl::set& part : first_rows_)
      rows = InSequence(rows, LoopsOver(part, 2 * dimensions_ + (points_ > 1 ? 1 : 0)));
    if (rows) first = InSequence(first, OverPoints(*rows, 2 * dimensions_));
    isl::schedule tile = InSequence(OverPlaces(*first, 1 + dimensions_), row);
    for (int i = dimensions_; i > 0; --i) tile = InsertPartialSchedule(tile, LoopAlong(tile.domain(), i));
    tile = tile.root().child(0).insert_mark(NamedId(ctx(), TileLoopsMark(registers_))).schedule();
    return InsertPartialSchedule(tile, LoopAlong(tile.domain(), 0));
  }

  Parts cleared_, first_rows_, loads_, carried_, steps_, rows_, stores_, shifts_;
};

}  // namespace

std::optional<v1::Scop> StreamStencil(const ParsedScop& scop, const isl::schedule& schedule,
                                      const StencilLoop& loop, const StreamShape& shape,
                                      const StreamPlan& plan, const std::vector<TiledArray>& arrays,
                                      const isl::set& values) {
  return StreamedScop(scop, loop, shape, plan, values).Make(schedule, arrays);
}

}  // namespace tune
