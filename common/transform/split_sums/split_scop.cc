#include "common/transform/split_sums/split_scop.h"

#include <algorithm>
#include <set>

#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/legality.h"
#include "common/schedule/schedule_part.h"
#include "common/scop/expression_parts.h"
#include "common/scop/scop_names.h"
#include "common/transform/block_iterator.h"
#include "common/transform/kill_order.h"
#include "common/transform/split_sums/common_factor.h"

namespace tune {
namespace {

constexpr int64_t kRounding = 32;  // iterations of a part are a multiple of it, so that tiles are whole

// The instances of a statement with their times in loops, outermost first: { S -> [t] } each.
struct Timed {
  isl::set instances;
  std::vector<isl::pw_aff> times;
};

isl::schedule Sequence(const std::vector<isl::schedule>& parts) {
  isl::schedule all = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) all = ScheduleSequence(all, parts[i]);
  return all;
}

// Loops from `first` on, outermost first, around `inside`.
isl::schedule Loops(const std::vector<Timed>& statements, size_t first, isl::schedule inside) {
  for (size_t i = statements[0].times.size(); i-- > first;) {
    isl::union_pw_aff member = EmptyUnionPwAff(inside.ctx());
    for (const Timed& timed : statements) member = member.union_add(isl::union_pw_aff(timed.times[i]));
    inside = InsertPartialSchedule(inside, isl::multi_union_pw_aff(member));
  }
  return inside;
}

isl::schedule Leaf(const Timed& statement) {
  return isl::schedule::from_domain(isl::union_set(statement.instances));
}

std::vector<isl::schedule> Leaves(const std::vector<Timed>& statements) {
  std::vector<isl::schedule> leaves;
  for (const Timed& statement : statements) leaves.push_back(Leaf(statement));
  return leaves;
}

// One nest in both orders.
struct Orders {
  std::string sum;
  isl::schedule by_place;  // at each place its parts
  isl::schedule by_part;   // all parts of all places, then the sums
};

class SplitScopBuilder {
 public:
  SplitScopBuilder(const ParsedScop& scop, const isl::set& values, int64_t most_bytes)
      : scop_(scop),
        values_(values),
        bytes_left_(most_bytes),
        result_(scop.proto),
        names_(NamesOf(scop.proto)) {
    for (const char* name : {"part", "row", "column"}) iterators_.push_back(Unused(name));
  }

  // False: see SplitScop.
  bool Split(const SplitNest& split) {
    const SumNest& nest = split.nest;
    const ParsedStatement& sum = scop_.statement(nest.sum);
    const int64_t size = PartSize(nest.count, split.parts), parts = (nest.count + size - 1) / size;
    const std::optional<isl::map> element = ElementsOf(nest, sum);
    if (!element) return false;
    const std::string array = AddArray(sum, parts, element->range());
    if (array.empty()) return false;
    const Timed zeros = AddZeros(nest, parts, *element, array);
    const Timed additions = MoveSum(nest, sum, size, array);
    const Timed totals = AddTotals(nest, sum, parts, *element, array);
    Order(nest, zeros, additions, totals);
    return true;
  }

  // With the nests in an order, and all other statements as `schedule` has them.
  isl::schedule Whole(const isl::schedule& schedule, isl::schedule Orders::*order) const {
    const auto other = [&](const isl::union_set& domain) -> std::optional<isl::schedule> {
      for (const Orders& orders : orders_) {
        if (Has(domain, orders.sum)) return orders.*order;
      }
      return std::nullopt;
    };
    return SchedulePart(schedule.root().child(0), schedule.domain(), other);
  }

  const v1::Scop& result() const { return result_; }

 private:
  static int64_t PartSize(int64_t count, int parts) {
    const int64_t least = (count + parts - 1) / parts;
    return (least + kRounding - 1) / kRounding * kRounding;
  }

  static bool Has(const isl::union_set& domain, const std::string& statement) {
    bool has = false;
    domain.foreach_set([&](const isl::set& set) { has = has || TupleName(set) == statement; });
    return has;
  }

  std::string Unused(std::string name) {
    while (!names_.insert(name).second) name += "_";
    return name;
  }

  isl::map AtValues(const isl::map& map) const {
    return map.intersect_params(values_).project_out_all_params();
  }

  // { [i, j] -> C[e] } of the places' sums.
  std::optional<isl::map> ElementsOf(const SumNest& nest, const ParsedStatement& sum) const {
    const isl::map place = FlatRangeProduct(nest.rows.times.at(sum.name).as_map(),
                                            nest.columns.times.at(sum.name).as_map())
                               .intersect_domain(sum.domain);  // { S[x] -> [i, j] }
    const isl::map element = AtValues(place.reverse().apply_range(sum.target().relation)).coalesce();
    const isl::map simple = element.gist_domain(nest.places);
    if (simple.is_single_valued()) return simple.intersect_domain(nest.places);
    if (element.is_single_valued()) return element;
    return std::nullopt;
  }

  // For the partial sums, { P[b, e] }; "" where it is too large.
  std::string AddArray(const ParsedStatement& sum, int64_t parts, const isl::set& elements) {
    const v1::Array& like = scop_.array(sum.target().array);
    std::vector<int64_t> extents = {parts};
    int64_t bytes = parts * static_cast<int64_t>(ElementSize(like.element_type()));
    for (int i = 0; i < Dimensions(elements, isl_dim_set); ++i) {
      const isl::val last = elements.dim_max_val(i);
      if (!last.is_int() || bytes > bytes_left_) return "";
      extents.push_back(last.num_si() + 1);
      bytes *= extents.back();
    }
    if (bytes > bytes_left_) return "";
    bytes_left_ -= bytes;
    v1::Array* array = result_.add_arrays();
    array->set_name(Unused(like.name() + "_parts"));
    array->set_element_type(like.element_type());
    array->set_declared_inside(true);
    for (const int64_t extent : extents) array->add_extents()->set_c_expression(absl::StrCat(extent));
    return array->name();
  }

  v1::Statement* AddStatement(const isl::set& instances, int line) {
    v1::Statement* statement = result_.add_statements();
    statement->set_name(TupleName(instances));
    statement->set_kind(v1::Statement::ASSIGN);
    for (int i = 0; i < Dimensions(instances, isl_dim_set); ++i)
      statement->add_iterators(DimensionName(instances, isl_dim_set, i));
    statement->set_domain(IslText(instances));
    statement->set_line(line);
    return statement;
  }

  static void AddAccess(const isl::map& relation, v1::Access::Kind kind, v1::Statement* statement) {
    v1::Access* access = statement->add_accesses();
    access->set_array(relation.range_tuple_id().name());
    access->set_kind(kind);
    access->set_relation(IslText(relation));
  }

  std::string NewName() const { return absl::StrCat("S", result_.statements_size()); }

  isl::set Named(isl::set set, int first_iterator) const {
    set = WithTupleName(set, NewName());
    for (int i = 0; i < Dimensions(set, isl_dim_set); ++i)
      set = WithDimensionName(set, isl_dim_set, i, iterators_[first_iterator + i]);
    return set;
  }

  static isl::pw_aff Variable(const isl::set& instances, int position) {
    return isl::pw_aff(VariableOn(instances.space(), position));
  }

  // Z[b, i, j]: P[b, e] = 0, before the first addition of the part.
  Timed AddZeros(const SumNest& nest, int64_t parts, const isl::map& element, const std::string& array) {
    isl::set instances = InsertDimensions(nest.places, isl_dim_set, 0, 1);
    instances =
        LowerBound(UpperBound(instances, isl_dim_set, 0, static_cast<int>(parts) - 1), isl_dim_set, 0, 0);
    instances = Named(instances, 0);
    v1::Statement* zeros = AddStatement(instances, scop_.statement(nest.sum).proto->line());
    const isl::map same = IdentityMap(instances.space().map_from_set());
    const isl::map part = WithoutTupleId(ProjectOut(same, isl_dim_out, 1, 2), isl_dim_out);  // { Z -> [b] }
    const isl::map place =
        WithoutTupleId(ProjectOut(same, isl_dim_out, 0, 1), isl_dim_out);          // { Z -> [i, j] }
    const isl::map own = WithoutTupleId(place.apply_range(element), isl_dim_out);  // { Z -> [e] }
    AddAccess(WithTupleName(FlatRangeProduct(part, own), isl_dim_out, array), v1::Access::WRITE, zeros);
    zeros->mutable_value()->set_literal("0");
    zeros->mutable_value()->set_c_type("int");
    const isl::pw_aff first(ConstantOn(instances.space(), isl::val::zero(instances.ctx())));
    return {instances, {Variable(instances, 0), Variable(instances, 1), Variable(instances, 2), first}};
  }

  // S[b, x] in place of S[x]: P[b, e] += value, without what all terms are multiplied by. Its times count
  // from the part's first one, so that loops begin at a constant.
  Timed MoveSum(const SumNest& nest, const ParsedStatement& sum, int64_t size, const std::string& array) {
    const isl::val shift(sum.domain.ctx(), -nest.first);
    const isl::set instances = InBlocks(sum, nest.time.add_constant(shift), size, iterators_[0]);
    v1::Statement* moved = nullptr;
    for (v1::Statement& statement : *result_.mutable_statements()) {
      if (statement.name() == sum.name) moved = &statement;
    }
    PutInBlocks(scop_, sum, instances, moved);
    const isl::multi_aff origin = WithoutBlock(instances);  // { S[b, x] -> S[x] }
    const isl::map own = WithoutTupleId(sum.target().relation.preimage_domain(origin), isl_dim_out);
    v1::Access* target = moved->mutable_accesses(sum.proto->target());
    target->set_array(array);
    target->set_relation(
        IslText(WithTupleName(FlatRangeProduct(Variable(instances, 0).as_map(), own), isl_dim_out, array)));
    if (const std::optional<CommonFactor> factor = FindCommonFactor(result_, *moved))
      LeaveOut(*factor, moved);
    const auto at_origin = [&](const isl::pw_aff& time) { return time.pullback(isl::pw_multi_aff(origin)); };
    const isl::val size_value(shift.ctx(), size);
    const isl::pw_aff begin = isl::pw_aff(VariableOn(instances.space(), 0).scale(size_value));
    return {
        instances,
        {Variable(instances, 0), at_origin(nest.rows.times.at(sum.name)),
         at_origin(nest.columns.times.at(sum.name)), at_origin(nest.time).add_constant(shift).sub(begin)}};
  }

  // What is left of the statement, its target, and what the rest of its value reads.
  static void LeaveOut(const CommonFactor& factor, v1::Statement* statement) {
    std::vector<int> kept = AccessesOf(factor.rest);
    kept.push_back(statement->target());
    std::sort(kept.begin(), kept.end());
    const v1::Statement all = *statement;
    statement->clear_accesses();
    for (const int access : kept) *statement->add_accesses() = all.accesses(access);
    *statement->mutable_value() = WithAccesses(factor.rest, kept);
    statement->set_target(static_cast<int>(std::find(kept.begin(), kept.end(), all.target()) - kept.begin()));
  }

  // R[i, j]: C[e] += factor * (P[0, e] + P[1, e] + ...)
  Timed AddTotals(const SumNest& nest, const ParsedStatement& sum, int64_t parts, const isl::map& element,
                  const std::string& array) {
    const isl::set instances = Named(nest.places, 1);
    v1::Statement* totals = AddStatement(instances, sum.proto->line());
    const isl::map own = IdentityMap(nest.places.space().map_from_set()).apply_range(element);
    const isl::map target = WithTupleName(own, isl_dim_in, TupleName(instances));  // { R[i, j] -> C[e] }
    const std::string type(ElementCType(scop_.array(sum.target().array).element_type()));
    v1::Expression value;
    for (int64_t part = 0; part < parts; ++part) {
      isl::map partial = InsertDimensions(WithoutTupleId(target, isl_dim_out), isl_dim_out, 0, 1);
      partial = Fix(partial, isl_dim_out, 0, static_cast<int>(part));
      AddAccess(WithTupleName(partial, isl_dim_out, array), v1::Access::READ, totals);
      v1::Expression read;
      read.set_access(static_cast<int>(part));
      read.set_c_type(type);
      value = part == 0 ? read : MakeOperation(type, "+", {value, read});
    }
    if (const std::optional<CommonFactor> factor = FindCommonFactor(scop_.proto, *sum.proto))
      value = Times(*factor, sum, value, totals);
    totals->set_target(totals->accesses_size());
    AddAccess(target, v1::Access::UPDATE, totals);
    totals->set_update(v1::ADD);
    *totals->mutable_value() = value;
    return {instances, {Variable(instances, 0), Variable(instances, 1)}};
  }

  // factor * value, with the factor's accesses behind those of `totals`.
  static v1::Expression Times(const CommonFactor& factor, const ParsedStatement& sum,
                              const v1::Expression& value, v1::Statement* totals) {
    const isl::set instances(sum.domain.ctx(), totals->domain());
    std::vector<int> places(totals->accesses_size(), -1);
    for (const int access : AccessesOf(factor.factor)) {
      const std::string& scalar = sum.accesses[access].array;
      const isl::set element(sum.domain.ctx(), absl::StrCat("{ ", scalar, "[] }"));
      AddAccess(MapFromDomainAndRange(instances, element), v1::Access::READ, totals);
      places.push_back(access);
    }
    return MakeOperation(value.c_type(), "*", {WithAccesses(factor.factor, places), value});
  }

  void Order(const SumNest& nest, const Timed& zeros, const Timed& additions, const Timed& totals) {
    const auto timed = [&](const std::string& name) -> Timed {
      return {scop_.statement(name).domain, {nest.rows.times.at(name), nest.columns.times.at(name)}};
    };
    std::vector<Timed> ends, all;
    for (const std::string& name : nest.before) ends.push_back(timed(name));
    ends.push_back(totals);
    for (const std::string& name : nest.after) ends.push_back(timed(name));
    const std::vector<Timed> partial = {zeros, additions};

    Orders& orders = orders_.emplace_back();
    orders.sum = nest.sum;
    orders.by_part = ScheduleSequence(Loops(partial, 0, Sequence(Leaves(partial))),
                                      Loops(ends, 0, Sequence(Leaves(ends))));

    std::vector<isl::schedule> place = Leaves(ends);
    const auto inner = [](const Timed& statement, const std::vector<int>& loops) {
      Timed inside = {statement.instances, {}};
      for (const int i : loops) inside.times.push_back(statement.times[i]);
      return inside;
    };
    const std::vector<Timed> zero = {inner(zeros, {0})}, addition = {inner(additions, {0, 3})};
    const auto sums = place.begin() + static_cast<std::ptrdiff_t>(nest.before.size());
    place.insert(sums, {Loops(zero, 0, Leaf(zeros)), Loops(addition, 0, Leaf(additions))});
    all = ends;
    all.push_back(inner(zeros, {1, 2}));
    all.push_back(inner(additions, {1, 2}));
    orders.by_place = Loops(all, 0, Sequence(place));
  }

  const ParsedScop& scop_;
  const isl::set values_;
  int64_t bytes_left_;
  v1::Scop result_;
  std::set<std::string> names_;         // C identifiers that are taken
  std::vector<std::string> iterators_;  // part, row, column
  std::vector<Orders> orders_;
};

}  // namespace

absl::StatusOr<std::optional<v1::Scop>> SplitScop(IslContext& context, const ParsedScop& scop,
                                                  const isl::schedule& schedule,
                                                  const std::vector<SplitNest>& nests, const isl::set& values,
                                                  int64_t most_bytes) {
  return context.Run("splitting sums", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    SplitScopBuilder builder(scop, values, most_bytes);
    for (const SplitNest& nest : nests) {
      if (!builder.Split(nest)) return std::nullopt;
    }
    v1::Scop result = builder.result();
    result.set_schedule(IslText(WithKills(builder.Whole(schedule, &Orders::by_place), scop)));
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> by_place, ParseScop(context, result));
    TUNE_ASSIGN_OR_RETURN(const Dependences dependences, ComputeDependences(context, *by_place));
    const isl::schedule by_part = builder.Whole(schedule, &Orders::by_part);
    TUNE_RETURN_IF_ERROR(CheckLegal(context, by_part, *by_place, dependences));
    result.set_schedule(IslText(WithKills(by_part, scop)));
    return result;
  });
}

}  // namespace tune
