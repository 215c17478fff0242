#include "common/transform/one_pass/passed_scop.h"

#include <set>

#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_part.h"
#include "common/isl/tuple_name.h"
#include "common/kernel/tile_loops.h"
#include "common/schedule/legality.h"
#include "common/scop/scop_names.h"
#include "common/transform/added_statement.h"
#include "common/transform/block_iterator.h"
#include "common/transform/kill_order.h"
#include "common/transform/split_sums/nest_order.h"

namespace tune {
namespace {

class PassedScop {
 public:
  PassedScop(const ParsedScop& scop, const PassPair& pair, const PassTiles& tiles, const isl::set& values)
      : scop_(scop),
        pair_(pair),
        tiles_(tiles),
        values_(values),
        result_(scop.proto),
        names_(NamesOf(scop.proto)),
        tile_(Unused("tile")),
        column_(Unused("column")) {}

  void Make() {
    parts_ = AddParts();
    for (const std::string& name : pair_.rows.Statements()) rows_.push_back(RowInTile(name));
    zeros_ = AddZeros();
    additions_ = MoveAdditions();
    totals_ = AddTotals();
  }

  const v1::Scop& result() const { return result_; }
  int64_t PartBytes() const { return tiles_.count * pair_.column_count * ElementBytes(); }

  // With the columns' sums where they stood.
  isl::schedule ByPlace(const isl::schedule& schedule) const {
    return Whole(schedule, LoopsOver(rows_, 0, SequenceOf(LeavesOf(rows_))), ColumnsByPlace());
  }

  // With the tiles where the first of both kernels stood, `rows_first` which of them that is.
  isl::schedule InOnePass(const isl::schedule& schedule, bool rows_first) const {
    const isl::schedule tiles = TileLoop(), ends = Ends();
    return rows_first ? Whole(schedule, tiles, ends) : Whole(schedule, ends, tiles);
  }

  // { S -> [tile] }
  isl::multi_union_pw_aff Tiles() const {
    isl::union_pw_aff tile = EmptyUnionPwAff(values_.ctx());
    for (const TimedInstances& timed : InTiles()) tile = tile.union_add(isl::union_pw_aff(timed.times[0]));
    return isl::multi_union_pw_aff(tile);
  }

 private:
  std::string Unused(std::string name) {
    while (!names_.insert(name).second) name += "_";
    return name;
  }
  std::string NewName() const { return absl::StrCat("S", result_.statements_size()); }
  v1::ElementType Type() const {
    return scop_.array(scop_.statement(pair_.columns.sum).target().array).element_type();
  }
  int64_t ElementBytes() const { return static_cast<int64_t>(ElementSize(Type())); }
  isl::val Value(int64_t number) const { return isl::val(values_.ctx(), number); }

  v1::Statement* StatementNamed(const std::string& name) {
    for (v1::Statement& statement : *result_.mutable_statements()) {
      if (statement.name() == name) return &statement;
    }
    return nullptr;
  }

  std::string AddParts() {
    v1::Array* const array = result_.add_arrays();
    array->set_name(Unused(scop_.statement(pair_.columns.sum).target().array + "_parts"));
    array->set_element_type(Type());
    array->set_declared_inside(true);
    for (const int64_t extent : {tiles_.count, pair_.column_count})
      array->add_extents()->set_c_expression(absl::StrCat(extent));
    return array->name();
  }

  // The statement in tiles, by the rows that it has, { S[x] -> [row] } from 0 on, and its times there, { S[x]
  // -> [t] }: with times [tile, row of the tile, t], so that loops begin at a constant.
  TimedInstances InTile(const std::string& name, const isl::pw_aff& row, const isl::pw_aff& time) {
    const ParsedStatement& statement = scop_.statement(name);
    const isl::set instances = InBlocks(statement, row, tiles_.rows, tile_);
    PutInBlocks(scop_, statement, instances, StatementNamed(name));
    const isl::multi_aff origin = WithoutBlock(instances, name);  // { S[tile, x] -> S[x] }
    const auto moved = [&](const isl::pw_aff& of) { return of.pullback(isl::pw_multi_aff(origin)); };
    const isl::aff tile = VariableOn(instances.space(), 0);
    const isl::pw_aff own_row = moved(row).sub(isl::pw_aff(tile.scale(Value(tiles_.rows))));
    return {instances, {isl::pw_aff(tile), own_row, moved(time)}};
  }

  TimedInstances RowInTile(const std::string& name) {
    const isl::pw_aff row =
        pair_.rows.places.times.at(name).add_constant(Value(pair_.row_shift - pair_.first_row));
    return InTile(name, row, pair_.rows.times.times.at(name));
  }

  // { [tile, j] }, or the other way round.
  isl::set PartPlaces(int tile_position) const {
    const isl::set places = InsertDimensions(pair_.places, isl_dim_set, tile_position, 1);
    return UpperBound(LowerBound(places, isl_dim_set, tile_position, 0), isl_dim_set, tile_position,
                      static_cast<int>(tiles_.count) - 1);
  }

  // The next statement's instances, of dimensions with these names.
  isl::set Named(isl::set set, const std::vector<std::string>& iterators) const {
    set = WithTupleName(set, NewName());
    for (size_t i = 0; i < iterators.size(); ++i)
      set = WithDimensionName(set, isl_dim_set, static_cast<int>(i), iterators[i]);
    return set;
  }

  // { S -> P[tile, j] } of functions { S -> [tile] } and { S -> [j] }.
  isl::map Part(const isl::pw_aff& tile, const isl::pw_aff& place) const {
    const isl::pw_aff column = place.add_constant(Value(-pair_.first_column));
    return WithTupleName(FlatRangeProduct(tile.as_map(), column.as_map()), isl_dim_out, parts_);
  }

  static isl::pw_aff Iterator(const isl::set& instances, int position) {
    return isl::pw_aff(VariableOn(instances.space(), position));
  }

  // Z[tile, j]: P[tile, j] = 0
  TimedInstances AddZeros() {
    const isl::set instances = Named(PartPlaces(0), {tile_, column_});
    const isl::pw_aff tile = Iterator(instances, 0), place = Iterator(instances, 1);
    v1::Statement* const zeros =
        AddStatement(instances, scop_.statement(pair_.columns.sum).proto->line(), &result_);
    AddAccess(Part(tile, place), v1::Access::WRITE, zeros);
    zeros->mutable_value()->set_literal("0");
    zeros->mutable_value()->set_c_type("int");
    return {instances, {tile, isl::pw_aff(ConstantOn(instances.space(), Value(0))), place}};
  }

  // S[tile, x] of S[x]: P[tile, j] += value
  TimedInstances MoveAdditions() {
    const std::string& name = pair_.columns.sum;
    const isl::pw_aff row =
        pair_.columns.times.times.at(name).add_constant(Value(pair_.time_shift - pair_.first_row));
    TimedInstances moved = InTile(name, row, pair_.columns.places.times.at(name));
    v1::Statement* const additions = StatementNamed(name);
    v1::Access* const target = additions->mutable_accesses(additions->target());
    target->set_array(parts_);
    target->set_relation(IslText(Part(moved.times[0], moved.times[2])));
    return moved;
  }

  // T[j, tile]: y[..] += P[tile, j]
  TimedInstances AddTotals() {
    const ParsedStatement& sum = scop_.statement(pair_.columns.sum);
    const isl::set instances = Named(PartPlaces(1), {column_, tile_});
    v1::Statement* const totals = AddStatement(instances, sum.proto->line(), &result_);
    const isl::pw_aff place = Iterator(instances, 0), tile = Iterator(instances, 1);
    const isl::map places = pair_.columns.places.times.at(sum.name).as_map().intersect_domain(sum.domain);
    const isl::map element = places.reverse()
                                 .apply_range(sum.target().relation)
                                 .intersect_params(values_)
                                 .project_out_all_params();  // { [j] -> y[e] }
    v1::Expression part;
    part.set_access(AddAccess(Part(tile, place), v1::Access::READ, totals));
    part.set_c_type(std::string(ElementCType(Type())));
    totals->set_target(AddAccess(place.as_map().apply_range(element), v1::Access::UPDATE, totals));
    totals->set_update(v1::ADD);
    *totals->mutable_value() = part;
    return {instances, {place, tile}};
  }

  std::vector<TimedInstances> InTiles() const {
    std::vector<TimedInstances> all = rows_;
    all.push_back(zeros_);
    all.push_back(additions_);
    return all;
  }

  // What stays of the columns' kernel beside its sum, at [j] and a constant.
  std::vector<TimedInstances> Beside(const std::vector<std::string>& names, int64_t time) const {
    std::vector<TimedInstances> beside;
    for (const std::string& name : names) {
      const isl::set& domain = scop_.statement(name).domain;
      beside.push_back(
          {domain,
           {pair_.columns.places.times.at(name), isl::pw_aff(ConstantOn(domain.space(), Value(time)))}});
    }
    return beside;
  }

  // for j: before; the parts, one after another; the totals; after
  isl::schedule ColumnsByPlace() const {
    const std::vector<TimedInstances> before = Beside(pair_.columns.before, 0),
                                      after = Beside(pair_.columns.after, 0);
    std::vector<isl::schedule> place = LeavesOf(before);
    std::vector<TimedInstances> all;
    const auto append = [&](const TimedInstances& timed, const std::vector<int>& loops, int own) {
      place.push_back(LoopsOver({InLoops(timed, loops)}, 0, LeafOf(timed)));
      all.push_back(InLoops(timed, {own}));
    };
    for (const TimedInstances& timed : before) all.push_back(InLoops(timed, {0}));
    append(zeros_, {0}, 2);
    append(additions_, {0, 1}, 2);
    append(totals_, {1}, 0);
    for (const TimedInstances& timed : after) {
      place.push_back(LeafOf(timed));
      all.push_back(InLoops(timed, {0}));
    }
    return LoopsOver(all, 0, SequenceOf(place));
  }

  isl::schedule TileLoop() const {
    const std::vector<TimedInstances> columns = {zeros_, additions_};
    const isl::schedule tile = SequenceOf({LoopsOver(rows_, 1, SequenceOf(LeavesOf(rows_))),
                                           LoopsOver(columns, 1, SequenceOf(LeavesOf(columns)))});
    const isl::schedule loop = InsertPartialSchedule(tile, Tiles());
    return loop.root().child(0).insert_mark(NamedId(values_.ctx(), TileLoopsMark())).schedule();
  }

  isl::schedule Ends() const {
    std::vector<TimedInstances> all = Beside(pair_.columns.before, 0);
    all.push_back(totals_);
    for (const TimedInstances& timed : Beside(pair_.columns.after, tiles_.count - 1)) all.push_back(timed);
    return LoopsOver(all, 0, SequenceOf(LeavesOf(all)));
  }

  // The schedule with other parts for both kernels.
  isl::schedule Whole(const isl::schedule& schedule, const isl::schedule& of_rows,
                      const isl::schedule& of_columns) const {
    const isl::set rows = scop_.statement(pair_.rows.sum).domain,
                   columns = scop_.statement(pair_.columns.sum).domain;
    const auto other = [&](const isl::union_set& domain) -> std::optional<isl::schedule> {
      if (!domain.is_disjoint(isl::union_set(rows))) return of_rows;
      if (!domain.is_disjoint(isl::union_set(columns))) return of_columns;
      return std::nullopt;
    };
    return SchedulePart(schedule.root().child(0), schedule.domain(), other, SetParts::kInSequence);
  }

  const ParsedScop& scop_;
  const PassPair& pair_;
  const PassTiles& tiles_;
  const isl::set values_;
  v1::Scop result_;
  std::set<std::string> names_;  // C identifiers that are taken
  const std::string tile_, column_;
  std::string parts_;                 // P
  std::vector<TimedInstances> rows_;  // at [tile, row, t]
  TimedInstances zeros_, additions_;  // at [tile, row, j]
  TimedInstances totals_;             // at [j, tile]
};

// That no dependence connects two tiles.
bool AreApart(const isl::multi_union_pw_aff& tiles, const Dependences& dependences) {
  const isl::union_set all = tiles.domain();
  const isl::union_map inside = dependences.validity().intersect_domain(all).intersect_range(all);
  return inside.is_subset(inside.eq_at(tiles));
}

}  // namespace

absl::StatusOr<std::optional<v1::Scop>> PassScop(IslContext& context, const ParsedScop& scop,
                                                 const isl::schedule& schedule, const PassPair& pair,
                                                 const PassTiles& tiles, const isl::set& values,
                                                 int64_t most_bytes) {
  return context.Run("joining passes", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    PassedScop passed(scop, pair, tiles, values);
    if (passed.PartBytes() > most_bytes) return std::nullopt;
    passed.Make();
    v1::Scop result = passed.result();
    result.set_schedule(IslText(WithKills(passed.ByPlace(schedule), scop)));
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> by_place, ParseScop(context, result));
    TUNE_ASSIGN_OR_RETURN(const Dependences dependences, ComputeDependences(context, *by_place));
    if (!AreApart(passed.Tiles(), dependences)) return std::nullopt;
    for (const bool rows_first : {true, false}) {
      const isl::schedule order = passed.InOnePass(schedule, rows_first);
      const absl::Status legal = CheckLegal(context, order, *by_place, dependences);
      if (absl::IsFailedPrecondition(legal)) continue;
      TUNE_RETURN_IF_ERROR(legal);
      result.set_schedule(IslText(WithKills(order, scop)));
      return result;
    }
    return std::nullopt;
  });
}

}  // namespace tune
