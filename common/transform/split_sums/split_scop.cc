#include "common/transform/split_sums/split_scop.h"

#include <algorithm>
#include <functional>
#include <set>

#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_part.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/legality.h"
#include "common/scop/expression_parts.h"
#include "common/scop/scop_names.h"
#include "common/transform/added_statement.h"
#include "common/transform/block_iterator.h"
#include "common/transform/kill_order.h"
#include "common/transform/split_sums/common_factor.h"
#include "common/transform/split_sums/nest_order.h"
#include "common/transform/split_sums/sum_statements.h"
#include "common/transform/split_sums/sum_terms.h"

namespace tune {
namespace {

// The parts of one term of a sum, or of all.
struct PartialSums {
  std::string array;  // { P[b, e] }
  v1::Expression term;
  TimedInstances zeros, additions;  // at [b, i, j, t]
};

// One nest in both orders.
struct Orders {
  std::string sum;
  isl::schedule by_place;     // at each place its parts
  isl::schedule parts, ends;  // all parts of all places; what is left
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
    const int64_t size = PartSize(nest.count, split.parts.ranges), parts = (nest.count + size - 1) / size;
    const std::optional<isl::map> element = ElementsOf(nest, sum);
    if (!element) return false;
    const v1::ElementType type = scop_.array(sum.target().array).element_type();
    std::vector<v1::Expression> terms = {sum.proto->value()};
    if (split.parts.terms_apart) terms = TermsOf(sum.proto->value(), type);
    std::vector<PartialSums> partial;
    for (size_t term = 0; term < terms.size(); ++term) {
      PartialSums& sums = partial.emplace_back();
      sums.term = terms[term];
      sums.array = AddArray(sum, parts, element->range());
      if (sums.array.empty()) return false;
      sums.zeros = AddZeros(nest, parts, *element, sums.array);
      const std::string name = term == 0 ? sum.name : NewName();
      v1::Statement* const moved = term == 0 ? StatementNamed(name) : result_.add_statements();
      sums.additions = MoveSum(nest, sum, size, sums.array, name, moved);
      if (terms.size() > 1) KeepValue(TermsOf(moved->value(), type)[term], moved);
      if (const auto factor = FindCommonFactor(result_, *moved)) KeepValue(factor->rest, moved);
    }
    const TimedInstances totals = AddTotals(nest, sum, parts, *element, partial);
    Order(nest, parts, partial, totals);
    return true;
  }

  // With the nests in an order, and all other statements as `schedule` has them.
  isl::schedule ByPlace(const isl::schedule& schedule) const {
    return Whole(schedule, [&](size_t nest) { return orders_[nest].by_place; });
  }

  // The same with the parts of those nests before all else that are in `early`.
  isl::schedule ByPart(const isl::schedule& schedule, const std::set<size_t>& early) const {
    std::vector<isl::schedule> all;
    for (const size_t nest : early) all.push_back(orders_[nest].parts);
    all.push_back(Whole(schedule, [&](size_t nest) {
      const Orders& orders = orders_[nest];
      return early.count(nest) > 0 ? orders.ends : ScheduleSequence(orders.parts, orders.ends);
    }));
    return SequenceOf(all);
  }

  const v1::Scop& result() const { return result_; }

 private:
  isl::schedule Whole(const isl::schedule& schedule, const std::function<isl::schedule(size_t)>& of) const {
    const auto other = [&](const isl::union_set& domain) -> std::optional<isl::schedule> {
      for (size_t nest = 0; nest < orders_.size(); ++nest) {
        if (Has(domain, orders_[nest].sum)) return of(nest);
      }
      return std::nullopt;
    };
    return SchedulePart(schedule.root().child(0), schedule.domain(), other);
  }

  v1::Statement* StatementNamed(const std::string& name) {
    for (v1::Statement& statement : *result_.mutable_statements()) {
      if (statement.name() == name) return &statement;
    }
    return nullptr;
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

  std::string NewName() const { return absl::StrCat("S", result_.statements_size()); }

  isl::set Named(isl::set set, int first_iterator) const {
    set = WithTupleName(set, NewName());
    for (int i = 0; i < Dimensions(set, isl_dim_set); ++i)
      set = WithDimensionName(set, isl_dim_set, i, iterators_[first_iterator + i]);
    return set;
  }

  // Z[b, i, j]: P[b, e] = 0, before the first addition of the part.
  TimedInstances AddZeros(const SumNest& nest, int64_t parts, const isl::map& element,
                          const std::string& array) {
    isl::set instances = InsertDimensions(nest.places, isl_dim_set, 0, 1);
    instances =
        LowerBound(UpperBound(instances, isl_dim_set, 0, static_cast<int>(parts) - 1), isl_dim_set, 0, 0);
    instances = Named(instances, 0);
    v1::Statement* zeros = AddStatement(instances, scop_.statement(nest.sum).proto->line(), &result_);
    const isl::map same = IdentityMap(instances.space().map_from_set());
    const isl::map part = WithoutTupleId(ProjectOut(same, isl_dim_out, 1, 2), isl_dim_out);  // { Z -> [b] }
    const isl::map place =
        WithoutTupleId(ProjectOut(same, isl_dim_out, 0, 1), isl_dim_out);          // { Z -> [i, j] }
    const isl::map own = WithoutTupleId(place.apply_range(element), isl_dim_out);  // { Z -> [e] }
    AddAccess(WithTupleName(FlatRangeProduct(part, own), isl_dim_out, array), v1::Access::WRITE, zeros);
    zeros->mutable_value()->set_literal("0");
    zeros->mutable_value()->set_c_type("int");
    const isl::pw_aff first(ConstantOn(instances.space(), isl::val::zero(instances.ctx())));
    return {instances, {IteratorOf(instances, 0), IteratorOf(instances, 1), IteratorOf(instances, 2), first}};
  }

  // Makes `moved` the statement `name`, S'[b, x] for S[x]: P[b, e] += value. Its times count from the part's
  // first one, so that loops begin at a constant.
  TimedInstances MoveSum(const SumNest& nest, const ParsedStatement& sum, int64_t size,
                         const std::string& array, const std::string& name, v1::Statement* moved) {
    const isl::val shift(sum.domain.ctx(), -nest.first);
    isl::set blocks = InBlocks(sum, nest.time.add_constant(shift), size, iterators_[0]);
    if (size >= nest.count) blocks = Fix(blocks, isl_dim_set, 0, 0);  // the only one, with any parameters
    const isl::set instances = WithTupleName(blocks, name);
    *moved = *sum.proto;
    PutInBlocks(scop_, sum, instances, moved);
    const isl::multi_aff origin = WithoutBlock(instances, sum.name);  // { S'[b, x] -> S[x] }
    const isl::map own = WithoutTupleId(sum.target().relation.preimage_domain(origin), isl_dim_out);
    v1::Access* target = moved->mutable_accesses(sum.proto->target());
    target->set_array(array);
    target->set_relation(
        IslText(WithTupleName(FlatRangeProduct(IteratorOf(instances, 0).as_map(), own), isl_dim_out, array)));
    const auto at_origin = [&](const isl::pw_aff& time) { return time.pullback(isl::pw_multi_aff(origin)); };
    const isl::val size_value(shift.ctx(), size);
    const isl::pw_aff begin = isl::pw_aff(VariableOn(instances.space(), 0).scale(size_value));
    return {
        instances,
        {IteratorOf(instances, 0), at_origin(nest.rows.times.at(sum.name)),
         at_origin(nest.columns.times.at(sum.name)), at_origin(nest.time).add_constant(shift).sub(begin)}};
  }

  // R[i, j]: C[e] += factor * (P[0, e] + P[1, e] + ...) + factor' * (P'[0, e] + ...) + ...
  TimedInstances AddTotals(const SumNest& nest, const ParsedStatement& sum, int64_t parts,
                           const isl::map& element, const std::vector<PartialSums>& partial) {
    const isl::set instances = Named(nest.places, 1);
    v1::Statement* totals = AddStatement(instances, sum.proto->line(), &result_);
    const isl::map own = IdentityMap(nest.places.space().map_from_set()).apply_range(element);
    const isl::map target = WithTupleName(own, isl_dim_in, TupleName(instances));  // { R[i, j] -> C[e] }
    const std::string type(ElementCType(scop_.array(sum.target().array).element_type()));
    v1::Expression all;
    for (const PartialSums& sums : partial) {
      v1::Statement of_term = *sum.proto;
      *of_term.mutable_value() = sums.term;
      v1::Expression value = SumOfParts(target, sums.array, parts, type, totals);
      if (const std::optional<CommonFactor> factor = FindCommonFactor(scop_.proto, of_term))
        value = TimesFactor(*factor, sum, value, totals);
      all = &sums == &partial[0] ? value : MakeOperation(type, "+", {all, value});
    }
    totals->set_target(totals->accesses_size());
    AddAccess(target, v1::Access::UPDATE, totals);
    totals->set_update(v1::ADD);
    *totals->mutable_value() = all;
    return {instances, {IteratorOf(instances, 0), IteratorOf(instances, 1)}};
  }

  // P[0, e] + P[1, e] + ..., with accesses behind those of `totals`; `target`: { R[i, j] -> C[e] }.
  static v1::Expression SumOfParts(const isl::map& target, const std::string& array, int64_t parts,
                                   const std::string& type, v1::Statement* totals) {
    v1::Expression value;
    for (int64_t part = 0; part < parts; ++part) {
      isl::map partial = InsertDimensions(WithoutTupleId(target, isl_dim_out), isl_dim_out, 0, 1);
      partial = Fix(partial, isl_dim_out, 0, static_cast<int>(part));
      v1::Expression read;
      read.set_access(totals->accesses_size());
      read.set_c_type(type);
      AddAccess(WithTupleName(partial, isl_dim_out, array), v1::Access::READ, totals);
      value = part == 0 ? read : MakeOperation(type, "+", {value, read});
    }
    return value;
  }

  void Order(const SumNest& nest, int64_t parts, const std::vector<PartialSums>& partial,
             const TimedInstances& totals) {
    const auto timed = [&](const std::string& name) -> TimedInstances {
      return {scop_.statement(name).domain, {nest.rows.times.at(name), nest.columns.times.at(name)}};
    };
    std::vector<TimedInstances> ends;
    for (const std::string& name : nest.before) ends.push_back(timed(name));
    ends.push_back(totals);
    for (const std::string& name : nest.after) ends.push_back(timed(name));

    std::vector<isl::schedule> by_part, at_place, place = LeavesOf(ends);
    std::vector<TimedInstances> all = ends;
    for (const PartialSums& sums : partial) {
      const std::vector<TimedInstances> both = {sums.zeros, sums.additions};
      by_part.push_back(LoopsOver(both, parts > 1 ? 0 : 1, SequenceOf(LeavesOf(both))));
      at_place.push_back(LoopsOver({InLoops(sums.zeros, {0})}, 0, LeafOf(sums.zeros)));
      at_place.push_back(LoopsOver({InLoops(sums.additions, {0, 3})}, 0, LeafOf(sums.additions)));
      for (const TimedInstances& timed : both) all.push_back(InLoops(timed, {1, 2}));
    }
    place.insert(place.begin() + static_cast<std::ptrdiff_t>(nest.before.size()), at_place.begin(),
                 at_place.end());
    orders_.push_back({nest.sum, LoopsOver(all, 0, SequenceOf(place)), SequenceOf(by_part),
                       LoopsOver(ends, 0, SequenceOf(LeavesOf(ends)))});
  }

  const ParsedScop& scop_;
  const isl::set values_;
  int64_t bytes_left_;
  v1::Scop result_;
  std::set<std::string> names_;         // C identifiers that are taken
  std::vector<std::string> iterators_;  // part, row, column
  std::vector<Orders> orders_;
};

// Those of `nests` whose parts can stand before all else.
absl::StatusOr<std::set<size_t>> EarlyNests(IslContext& context, const SplitScopBuilder& builder,
                                            const isl::schedule& schedule, size_t nests,
                                            const ParsedScop& by_place, const Dependences& dependences) {
  std::set<size_t> early;
  for (size_t nest = 0; nest < nests; ++nest) {
    early.insert(nest);
    const absl::Status legal = CheckLegal(context, builder.ByPart(schedule, early), by_place, dependences);
    if (absl::IsFailedPrecondition(legal)) {
      early.erase(nest);
    } else {
      TUNE_RETURN_IF_ERROR(legal);
    }
  }
  return early;
}

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
    result.set_schedule(IslText(WithKills(builder.ByPlace(schedule), scop)));
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> by_place, ParseScop(context, result));
    TUNE_ASSIGN_OR_RETURN(const Dependences dependences, ComputeDependences(context, *by_place));
    TUNE_RETURN_IF_ERROR(CheckLegal(context, builder.ByPart(schedule, {}), *by_place, dependences));
    TUNE_ASSIGN_OR_RETURN(const std::set<size_t> early,
                          EarlyNests(context, builder, schedule, nests.size(), *by_place, dependences));
    result.set_schedule(IslText(WithKills(builder.ByPart(schedule, early), scop)));
    return result;
  });
}

}  // namespace tune
