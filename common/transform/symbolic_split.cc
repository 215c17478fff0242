#include "common/transform/symbolic_split.h"

#include <algorithm>
#include <set>
#include <vector>

#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule_part.h"
#include "common/isl/spaces.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/legality.h"
#include "common/scop/scop_names.h"
#include "common/transform/added_statement.h"
#include "common/transform/block_iterator.h"
#include "common/transform/kill_order.h"
#include "common/transform/split_sums/common_factor.h"
#include "common/transform/split_sums/nest_order.h"
#include "common/transform/split_sums/sum_statements.h"

namespace tune {
namespace {

class SymbolicSplitBuilder {
 public:
  SymbolicSplitBuilder(const ParsedScop& scop, const SumNest& nest)
      : scop_(scop), nest_(nest), sum_(scop.statement(nest.sum)), names_(NamesOf(scop.proto)) {
    split_.scop = scop.proto;
    split_.sum = nest.sum;
    split_.nest = nest;
    split_.type = scop.array(sum_.target().array).element_type();
    for (std::string* const name : {&split_.first, &split_.count, &split_.parts}) {
      *name = Unused(name == &split_.first ? "part_first" : name == &split_.count ? "part_count" : "parts");
      v1::Parameter* const parameter = split_.scop.add_parameters();
      parameter->set_name(*name);
      parameter->set_c_type("int");
    }
    for (const char* const name : {"part", "row", "column"}) iterators_.push_back(Unused(name));
  }

  // False: see SplitAtSymbols.
  bool Split() {
    const isl::map place =
        FlatRangeProduct(nest_.rows.times.at(sum_.name).as_map(), nest_.columns.times.at(sum_.name).as_map())
            .intersect_domain(sum_.domain.intersect_params(scop_.context));
    places_ = place.range().coalesce();                                          // { [i, j] }
    elements_ = place.reverse().apply_range(sum_.target().relation).coalesce();  // { [i, j] -> C[e] }
    if (!elements_.is_single_valued()) return false;
    if (!CountAdditions() || !AddContext()) return false;
    split_.rows = Extent(0);
    split_.columns = Extent(1);
    AddArray();
    zeros_ = AddZeros();
    additions_ = MoveSum();
    totals_ = AddTotals();
    return true;
  }

  // What the region does as `schedule` has it, with the parts of each place at that place, or before all
  // else.
  isl::schedule ByPlace(const isl::schedule& schedule) const {
    std::vector<isl::schedule> place = LeavesAtPlace(true);
    std::vector<TimedInstances> all = Ends();
    for (const TimedInstances& one : {zeros_, additions_}) all.push_back(InLoops(one, {1, 2}));
    return Whole(schedule, LoopsOver(all, 0, SequenceOf(place)));
  }
  isl::schedule ByPart(const isl::schedule& schedule) const {
    const std::vector<TimedInstances> both = {zeros_, additions_};
    return SequenceOf({LoopsOver(both, 0, SequenceOf(LeavesOf(both))),
                       Whole(schedule, LoopsOver(Ends(), 0, SequenceOf(LeavesAtPlace(false))))});
  }

  SymbolicSplit& split() { return split_; }

 private:
  std::string Unused(std::string name) {
    while (!names_.insert(name).second) name += "_";
    return name;
  }

  // { D -> [p] }, of a parameter that D may lack.
  static isl::pw_aff ParameterOf(const isl::set& set, const std::string& name) {
    const isl::space own = WithDimensionName(ParameterSpace(set.ctx(), 1), isl_dim_param, 0, name);
    const isl::space space = AlignParameters(set, own).space();
    return isl::pw_aff(ParameterOn(space, DimensionId(isl::set::universe(space), isl_dim_param, 0)));
  }

  // One more than from the least to the greatest place of a dimension.
  isl::pw_aff Extent(int dimension) const {
    return DimensionMax(places_, dimension)
        .sub(DimensionMin(places_, dimension))
        .add_constant(isl::val::one(places_.ctx()));
  }

  // False where they are not numbered 0, 1, ... at all sizes.
  bool CountAdditions() {
    const isl::set domain = sum_.domain.intersect_params(scop_.context);
    times_ = nest_.time.as_map().intersect_domain(domain).range().coalesce();  // { [t] }
    split_.additions = DimensionMax(times_, 0).add_constant(isl::val::one(times_.ctx()));
    return times_.is_subset(LowerBound(times_, isl_dim_set, 0, 0)) &&
           Fix(times_, isl_dim_set, 0, 0).params().is_equal(times_.params()) &&
           isl::set(times_.polyhedral_hull()).is_equal(times_);
  }

  // What holds for each part. False where nothing does.
  bool AddContext() {
    const isl::set nowhere = isl::set::universe(SetSpaceFromParameters(scop_.context.space()));  // { [] }
    const isl::pw_aff first = ParameterOf(nowhere, split_.first), count = ParameterOf(nowhere, split_.count),
                      parts = ParameterOf(nowhere, split_.parts);
    const auto number = [&](int64_t value) {
      return ConstantOn(nowhere, isl::val(nowhere.ctx(), static_cast<long>(value)));
    };
    const isl::pw_aff last = first.add(count).sub(number(1));
    const isl::set holds =
        first.ge_set(number(0))
            .intersect(ZeroSet(first.mod(isl::val(nowhere.ctx(), static_cast<long>(kPartRounding)))))
            .intersect(count.ge_set(number(1)))
            .intersect(parts.ge_set(number(1)))
            .intersect(parts.le_set(number(kMostParts)));
    context_ = scop_.context.intersect(holds.params())
                   .intersect(last.as_map().range().intersect(times_).params())
                   .coalesce();
    split_.scop.set_context(IslText(context_));
    return !context_.is_empty();
  }

  void AddArray() {
    const v1::Array& like = scop_.array(sum_.target().array);
    split_.array = Unused(like.name() + "_parts");
    v1::Array* const array = split_.scop.add_arrays();
    array->set_name(split_.array);
    array->set_element_type(like.element_type());
    array->add_extents()->set_c_expression(split_.parts);
    array->mutable_extents()->MergeFrom(like.extents());
  }

  std::string NewName() const { return absl::StrCat("S", split_.scop.statements_size()); }

  // 0 <= b < parts, of the dimension at `position`.
  isl::set InParts(const isl::set& set, int position) const {
    const isl::pw_aff part = IteratorOf(set, position),
                      zero(ConstantOn(set.space(), isl::val::zero(set.ctx())));
    return set.intersect(part.ge_set(zero)).intersect(part.lt_set(ParameterOf(set, split_.parts)));
  }

  // { D -> P[b, e] }, of the part at one and the place at two dimensions of the instances.
  isl::map PartialSum(const isl::set& instances, int part, int place) const {
    const isl::map at = FlatRangeProduct(IteratorOf(instances, place).as_map(),
                                         IteratorOf(instances, place + 1).as_map());  // { D -> [i, j] }
    const isl::map own = WithoutTupleId(at.apply_range(elements_), isl_dim_out);      // { D -> [e] }
    return WithTupleName(FlatRangeProduct(IteratorOf(instances, part).as_map(), own), isl_dim_out,
                         split_.array)
        .intersect_domain(instances);
  }

  // Z[b, i, j]: P[b, e] = 0, before the first addition.
  TimedInstances AddZeros() {
    isl::set instances = WithTupleName(InParts(InsertDimensions(places_, isl_dim_set, 0, 1), 0), NewName());
    for (int i = 0; i < 3; ++i)
      instances = WithDimensionName(instances, isl_dim_set, i, iterators_[static_cast<size_t>(i)]);
    v1::Statement* const zeros = AddStatement(instances, sum_.proto->line(), &split_.scop);
    AddAccess(PartialSum(instances, 0, 1), v1::Access::WRITE, zeros);
    zeros->mutable_value()->set_literal("0");
    zeros->mutable_value()->set_c_type("int");
    const isl::pw_aff begin(ConstantOn(instances.space(), isl::val::zero(instances.ctx())));
    return {instances, {IteratorOf(instances, 0), IteratorOf(instances, 1), IteratorOf(instances, 2), begin}};
  }

  // S[b, x] for S[x]: P[b, e] += value.
  TimedInstances MoveSum() {
    v1::Statement* moved = nullptr;
    for (v1::Statement& statement : *split_.scop.mutable_statements())
      if (statement.name() == sum_.name) moved = &statement;
    isl::set any = WithTupleName(InsertDimensions(sum_.domain, isl_dim_set, 0, 1), sum_.name);
    any = WithDimensionName(any, isl_dim_set, 0, iterators_[0]);
    const isl::multi_aff origin = WithoutBlock(any, sum_.name);  // { S[b, x] -> S[x] }
    const auto at_origin = [&](const isl::pw_aff& time) { return time.pullback(isl::pw_multi_aff(origin)); };
    const isl::pw_aff time = at_origin(nest_.time), first = ParameterOf(any, split_.first);
    isl::set instances = InParts(sum_.domain.preimage(origin), 0)
                             .intersect(time.ge_set(first))
                             .intersect(time.lt_set(first.add(ParameterOf(any, split_.count))));
    instances = instances.gist(isl::set::universe(instances.space()).intersect_params(context_)).coalesce();
    PutInBlocks(scop_, sum_, instances, moved);
    v1::Access* const target = moved->mutable_accesses(sum_.proto->target());
    const isl::map own = WithoutTupleId(sum_.target().relation.preimage_domain(origin), isl_dim_out);
    target->set_array(split_.array);
    target->set_relation(IslText(
        WithTupleName(FlatRangeProduct(IteratorOf(instances, 0).as_map(), own), isl_dim_out, split_.array)));
    if (const auto factor = FindCommonFactor(split_.scop, *moved)) KeepValue(factor->rest, moved);
    return {instances,
            {IteratorOf(instances, 0), at_origin(nest_.rows.times.at(sum_.name)),
             at_origin(nest_.columns.times.at(sum_.name)), time.sub(first)}};
  }

  // R[i, j, b]: C[e] += factor * P[b, e].
  TimedInstances AddTotals() {
    isl::set instances = WithTupleName(InParts(AddDimensions(places_, isl_dim_set, 1), 2), NewName());
    for (int i = 0; i < 3; ++i)
      instances = WithDimensionName(instances, isl_dim_set, i, iterators_[static_cast<size_t>((i + 1) % 3)]);
    v1::Statement* const totals = AddStatement(instances, sum_.proto->line(), &split_.scop);
    v1::Expression value;
    value.set_access(totals->accesses_size());
    value.set_c_type(std::string(ElementCType(split_.type)));
    AddAccess(PartialSum(instances, 2, 0), v1::Access::READ, totals);
    if (const auto factor = FindCommonFactor(scop_.proto, *sum_.proto))
      value = TimesFactor(*factor, sum_, value, totals);
    totals->set_target(totals->accesses_size());
    const isl::map at = FlatRangeProduct(IteratorOf(instances, 0).as_map(),
                                         IteratorOf(instances, 1).as_map());  // { R -> [i, j] }
    AddAccess(at.apply_range(elements_), v1::Access::UPDATE, totals);
    totals->set_update(v1::ADD);
    *totals->mutable_value() = value;
    return {instances, {IteratorOf(instances, 0), IteratorOf(instances, 1), IteratorOf(instances, 2)}};
  }

  TimedInstances AtPlace(const std::string& statement) const {
    return {scop_.statement(statement).domain,
            {nest_.rows.times.at(statement), nest_.columns.times.at(statement)}};
  }

  // What a place does beside its parts.
  std::vector<TimedInstances> Ends() const {
    std::vector<TimedInstances> ends;
    for (const std::string& name : nest_.before) ends.push_back(AtPlace(name));
    ends.push_back(InLoops(totals_, {0, 1}));
    for (const std::string& name : nest_.after) ends.push_back(AtPlace(name));
    return ends;
  }

  std::vector<isl::schedule> LeavesAtPlace(bool with_parts) const {
    std::vector<isl::schedule> place;
    for (const std::string& name : nest_.before) place.push_back(LeafOf(AtPlace(name)));
    if (with_parts) {
      place.push_back(LoopsOver({InLoops(zeros_, {0})}, 0, LeafOf(zeros_)));
      place.push_back(LoopsOver({InLoops(additions_, {0, 3})}, 0, LeafOf(additions_)));
    }
    place.push_back(LoopsOver({InLoops(totals_, {2})}, 0, LeafOf(totals_)));
    for (const std::string& name : nest_.after) place.push_back(LeafOf(AtPlace(name)));
    return place;
  }

  // The schedule with `other` in place of the nest.
  isl::schedule Whole(const isl::schedule& schedule, const isl::schedule& other) const {
    const auto in_place = [&](const isl::union_set& domain) -> std::optional<isl::schedule> {
      bool has = false;
      domain.foreach_set([&](const isl::set& set) { has = has || TupleName(set) == sum_.name; });
      return has ? std::optional(other) : std::nullopt;
    };
    return SchedulePart(schedule.root().child(0), schedule.domain(), in_place);
  }

  const ParsedScop& scop_;
  const SumNest& nest_;
  const ParsedStatement& sum_;
  SymbolicSplit split_;
  isl::set places_, times_, context_;   // { [i, j] }, { [t] }; of all parameters
  isl::map elements_;                   // { [i, j] -> C[e] }
  TimedInstances zeros_, additions_;    // at [b, i, j, t]
  TimedInstances totals_;               // at [i, j, b]
  std::set<std::string> names_;         // C identifiers that are taken
  std::vector<std::string> iterators_;  // part, row, column
};

}  // namespace

absl::StatusOr<std::optional<SymbolicSplit>> SplitAtSymbols(AnalysedScop& analysed,
                                                            const std::map<std::string, int64_t>& counted) {
  TUNE_ASSIGN_OR_RETURN(const NestsOfSchedule found, FindNests(analysed, {}, counted, {}));
  const auto nest = std::find_if(found.nests.begin(), found.nests.end(),
                                 [](const SumNest& one) { return !one.reads_more; });
  if (nest == found.nests.end()) return std::nullopt;
  IslContext& context = analysed.context();
  const ParsedScop& scop = analysed.scop();
  return context.Run("splitting sums", [&]() -> absl::StatusOr<std::optional<SymbolicSplit>> {
    SymbolicSplitBuilder builder(scop, *nest);
    if (!builder.Split()) return std::nullopt;
    v1::Scop& result = builder.split().scop;
    result.set_schedule(IslText(WithKills(builder.ByPlace(found.schedule), scop)));
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> by_place, ParseScop(context, result));
    TUNE_ASSIGN_OR_RETURN(const Dependences own, ComputeDependences(context, *by_place));
    const isl::schedule by_part = builder.ByPart(found.schedule);
    const absl::Status legal = CheckLegal(context, by_part, *by_place, own);
    if (absl::IsFailedPrecondition(legal)) return std::nullopt;
    TUNE_RETURN_IF_ERROR(legal);
    result.set_schedule(IslText(WithKills(by_part, scop)));
    return std::move(builder.split());
  });
}

}  // namespace tune
