#include "common/transform/split_extrema/split_nest.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/isl/dimensions.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_part.h"
#include "common/isl/tuple_name.h"
#include "common/scop/expression_parts.h"
#include "common/scop/scop_names.h"
#include "common/transform/added_statement.h"
#include "common/transform/copy_statement.h"
#include "common/transform/split_extrema/dealt_loops.h"
#include "common/transform/split_extrema/outermost_loop.h"
#include "common/transform/split_sums/nest_order.h"
#include "common/transform/split_sums/sum_statements.h"
#include "common/transform/statement_pullback.h"

namespace tune {
namespace {

v1::Expression Zero() {
  v1::Expression zero;
  zero.set_literal("0");
  zero.set_c_type("int");
  return zero;
}

v1::Expression IntOperation(const std::string& op, std::vector<v1::Expression> operands) {
  return MakeOperation("int", op, std::move(operands));
}

// One after the other, in the same loops over all dimensions.
isl::schedule LoopsOverAll(const std::vector<isl::set>& statements) {
  std::vector<TimedInstances> timed;
  for (const isl::set& instances : statements) {
    timed.push_back({instances, {}});
    for (int i = 0; i < Dimensions(instances, isl_dim_set); ++i)
      timed.back().times.push_back(IteratorOf(instances, i));
  }
  return LoopsOver(timed, 0, SequenceOf(LeavesOf(timed)));
}

// What each of `width` parts found, as arrays of so many elements.
struct FoundByParts {
  std::string number;             // of the iteration, 0: none
  std::vector<std::string> kept;  // the extremum, then what is kept with it
  int64_t width = 1;
};

// What stands around a nest.
struct NestEnds {
  std::string condition;  // a statement of the nest
  std::vector<isl::schedule> before, after;
};

class NestSplitter {
 public:
  NestSplitter(const ParsedScop& scop, const isl::set& values, const PartLimits& limits)
      : scop_(scop),
        values_(values),
        limits_(limits),
        result_(scop.proto),
        names_(NamesOf(scop.proto)),
        part_(UnusedPrefix("part")),
        round_(UnusedPrefix("round")),
        origins_(isl::union_pw_multi_aff::empty(values.ctx())),
        domain_(isl::union_set::empty(values.ctx())) {}

  void Split(const RunningExtremum& extremum) {
    const ParsedStatement& condition = scop_.statement(extremum.condition);
    std::optional<DealtLoops> loops = DealtLoops::Of(condition, extremum.times, values_);
    const std::vector<int64_t> parts =
        loops ? PartsOfLoops(loops->Counts(), limits_) : std::vector<int64_t>();
    if (parts.empty()) return;
    loops->Deal(parts);
    line_ = condition.proto->line();
    ends_.push_back({extremum.condition, {}, {}});
    FoundByParts found = AddParts(extremum, loops->PartCount());
    Begin(extremum, found);
    MoveCondition(extremum, *loops, found);
    for (size_t i = 0; i < found.kept.size(); ++i)
      MoveKept(scop_.statement(extremum.Statements()[i + 1]), *loops, found, i);
    RemoveFlag(extremum.flag);
    for (const int64_t width : WidthsOfSteps(found.width, limits_)) {
      const FoundByParts best = AddParts(extremum, width);
      Join(extremum, found, best);
      found = best;
    }
    End(extremum, found);
  }

  std::optional<v1::Scop> Result() {
    if (ends_.empty()) return std::nullopt;
    result_.set_schedule(IslText(Schedule()));
    return result_;
  }

 private:
  std::string Unused(std::string name) {
    while (!names_.insert(name).second) name += "_";
    return name;
  }

  // With which no name begins.
  std::string UnusedPrefix(std::string prefix) const {
    const auto begins = [&](const std::string& name) { return name.rfind(prefix, 0) == 0; };
    while (std::any_of(names_.begin(), names_.end(), begins)) prefix += "_";
    return prefix;
  }

  std::string NewName() const { return absl::StrCat("S", result_.statements_size()); }

  std::string AddArray(const std::string& name, v1::ElementType type, int64_t width) {
    v1::Array* array = result_.add_arrays();
    array->set_name(Unused(name));
    array->set_element_type(type);
    array->set_declared_inside(true);
    array->add_extents()->set_c_expression(absl::StrCat(width));
    return array->name();
  }

  // The scalar that the i-th of the statements that keep something keeps.
  const v1::Array& KeptBy(const RunningExtremum& extremum, size_t i) const {
    return scop_.array(scop_.statement(extremum.Statements()[i + 1]).target().array);
  }

  FoundByParts AddParts(const RunningExtremum& extremum, int64_t width) {
    FoundByParts found;
    found.width = width;
    for (size_t i = 0; i <= extremum.others.size(); ++i) {
      const v1::Array& like = KeptBy(extremum, i);
      if (i == 0) found.number = AddArray(like.name() + "_numbers", v1::ELEMENT_TYPE_INT, width);
      found.kept.push_back(AddArray(like.name() + "_parts", like.element_type(), width));
    }
    return found;
  }

  // { S[i] : 0 <= i < width } of a new statement.
  isl::set Parts(int64_t width) const {
    return isl::set(values_.ctx(),
                    absl::StrCat("{ ", NewName(), "[", part_, "] : 0 <= ", part_, " < ", width, " }"));
  }

  // { S -> array[element] }; `element`, and the names of dimensions, as texts.
  static isl::map Element(const isl::set& instances, const std::string& array, const std::string& element) {
    std::vector<std::string> iterators;
    for (int i = 0; i < Dimensions(instances, isl_dim_set); ++i)
      iterators.push_back(DimensionName(instances, isl_dim_set, i));
    return isl::map(instances.ctx(),
                    absl::StrCat("{ ", TupleName(instances), "[", absl::StrJoin(iterators, ", "), "] -> ",
                                 array, "[", element, "] }"));
  }

  // to[element] = from[element], for all parts of a width, or once.
  isl::schedule Copy(const isl::set& instances, const std::string& from, const std::string& from_element,
                     const std::string& to, const std::string& to_element) {
    std::vector<std::string> iterators;
    for (int i = 0; i < Dimensions(instances, isl_dim_set); ++i)
      iterators.push_back(DimensionName(instances, isl_dim_set, i));
    AddCopy(instances, iterators, Element(instances, from, from_element), Element(instances, to, to_element),
            line_, &result_);
    return LoopsOver(instances);
  }

  void Begin(const RunningExtremum& extremum, const FoundByParts& found) {
    std::vector<isl::schedule>& before = ends_.back().before;
    const isl::set instances = Parts(found.width);
    v1::Statement* none = AddStatement(instances, line_, &result_);
    none->set_target(AddAccess(Element(instances, found.number, part_), v1::Access::WRITE, none));
    *none->mutable_value() = Zero();
    before.push_back(LoopsOver(instances));
    for (size_t i = 0; i < found.kept.size(); ++i)
      before.push_back(Copy(Parts(found.width), KeptBy(extremum, i).name(), "", found.kept[i], part_));
  }

  void End(const RunningExtremum& extremum, const FoundByParts& found) {
    for (size_t i = 0; i < found.kept.size(); ++i) {
      const isl::set once(values_.ctx(), absl::StrCat("{ ", NewName(), "[] }"));
      ends_.back().after.push_back(Copy(once, found.kept[i], "0", KeptBy(extremum, i).name(), ""));
    }
  }

  // The statement at its instances in parts.
  v1::Statement* Move(const ParsedStatement& statement, const DealtLoops& loops) {
    v1::Statement* moved = nullptr;
    for (v1::Statement& each : *result_.mutable_statements()) {
      if (each.name() == statement.name) moved = &each;
    }
    const isl::multi_aff origin = loops.Origin(statement.name);  // { S' -> S }
    PullBack(statement, origin, moved);
    isl::set instances = loops.Instances(statement).gist_params(scop_.context);
    const std::vector<std::string> iterators = loops.Iterators(part_, round_);
    moved->mutable_iterators()->Assign(iterators.begin(), iterators.end());
    for (size_t i = 0; i < iterators.size(); ++i)
      instances = WithDimensionName(instances, isl_dim_set, static_cast<int>(i), iterators[i]);
    moved->set_domain(IslText(instances));
    origins_ = origins_.union_add(isl::union_pw_multi_aff(isl::pw_multi_aff(origin)));
    domain_ = domain_.unite(isl::union_set(instances));
    return moved;
  }

  // What of the statement's accesses is of `scalar` is of the part's element of `array`.
  static void MoveAccesses(const DealtLoops& loops, const std::string& scalar, const std::string& array,
                           v1::Statement* statement) {
    for (v1::Access& access : *statement->mutable_accesses()) {
      if (access.array() != scalar) continue;
      access.set_array(array);
      access.set_relation(IslText(loops.Part(statement->name(), array)));
    }
  }

  static v1::Expression Number(const DealtLoops& loops, const v1::Statement& statement) {
    v1::Expression number;
    number.set_affine(IslText(loops.Number(statement.name())));
    number.set_c_type("int");
    return number;
  }

  void MoveCondition(const RunningExtremum& extremum, const DealtLoops& loops, const FoundByParts& found) {
    v1::Statement* moved = Move(scop_.statement(extremum.condition), loops);
    MoveAccesses(loops, KeptBy(extremum, 0).name(), found.kept[0], moved);
    MoveAccesses(loops, extremum.flag, found.number, moved);
    const int own = AddAccess(loops.Part(moved->name(), found.number), v1::Access::READ, moved);
    const v1::Expression condition = extremum.negated ? IntOperation("!", {moved->value()}) : moved->value();
    *moved->mutable_value() = IntOperation("?:", {condition, Number(loops, *moved), AccessOf(own, "int")});
  }

  // The statement that keeps `found.kept[kept]`.
  void MoveKept(const ParsedStatement& statement, const DealtLoops& loops, const FoundByParts& found,
                size_t kept) {
    v1::Statement* moved = Move(statement, loops);
    MoveAccesses(loops, statement.target().array, found.kept[kept], moved);
    const int own = AddAccess(loops.Part(moved->name(), found.number), v1::Access::READ, moved);
    v1::Operation* choice = moved->mutable_value()->mutable_operation();
    *choice->mutable_operands(0) = IntOperation("==", {AccessOf(own, "int"), Number(loops, *moved)});
    KeepValue(moved->value(), moved);
  }

  // The array of a flag that nothing declares.
  void RemoveFlag(const std::string& flag) {
    for (const v1::Statement& statement : result_.statements()) {
      for (const v1::Access& access : statement.accesses()) {
        if (access.array() == flag) return;
      }
    }
    for (int i = 0; i < result_.arrays_size(); ++i) {
      if (result_.arrays(i).name() != flag) continue;
      result_.mutable_arrays()->DeleteSubrange(i, 1);
      return;
    }
  }

  // The best of each `best.width`-th part of `found` become those of `best`.
  void Join(const RunningExtremum& extremum, const FoundByParts& found, const FoundByParts& best) {
    std::vector<isl::schedule>& after = ends_.back().after;
    after.push_back(Copy(Parts(best.width), found.number, part_, best.number, part_));
    for (size_t i = 0; i < found.kept.size(); ++i)
      after.push_back(Copy(Parts(best.width), found.kept[i], part_, best.kept[i], part_));
    std::vector<isl::set> further = {JoinNumbers(extremum, found, best)};
    for (size_t i = 0; i < found.kept.size(); ++i) further.push_back(JoinKept(extremum, found, best, i));
    after.push_back(LoopsOverAll(further));
  }

  // { S[b, q] } of a new statement, for the q-th further part of `found` that comes to part b of `best`.
  isl::set FurtherParts(const FoundByParts& found, const FoundByParts& best) const {
    return isl::set(values_.ctx(), absl::StrCat("{ ", NewName(), "[", part_, ", ", round_, "] : 0 <= ", part_,
                                                " < ", best.width, " and 1 <= ", round_, " and ",
                                                Further(best), " < ", found.width, " }"));
  }
  std::string Further(const FoundByParts& best) const {
    return absl::StrCat(best.width, " * ", round_, " + ", part_);
  }

  v1::Expression Read(const isl::set& instances, const std::string& array, const std::string& element,
                      v1::Statement* statement) const {
    const int access = AddAccess(Element(instances, array, element), v1::Access::READ, statement);
    for (const v1::Array& each : result_.arrays()) {
      if (each.name() == array) return AccessOf(access, std::string(ElementCType(each.element_type())));
    }
    return {};
  }

  // The number of a further part where that is better.
  isl::set JoinNumbers(const RunningExtremum& extremum, const FoundByParts& found, const FoundByParts& best) {
    const isl::set instances = FurtherParts(found, best);
    v1::Statement* statement = AddStatement(instances, line_, &result_);
    const v1::Expression their_number = Read(instances, found.number, Further(best), statement);
    const v1::Expression own_number = Read(instances, best.number, part_, statement);
    const v1::Expression theirs = Read(instances, found.kept[0], Further(best), statement);
    const v1::Expression own = Read(instances, best.kept[0], part_, statement);
    statement->set_target(AddAccess(Element(instances, best.number, part_), v1::Access::WRITE, statement));
    const v1::Expression better = IsBetter(extremum.comparison, their_number, own_number, theirs, own);
    *statement->mutable_value() = IntOperation("?:", {better, their_number, own_number});
    return instances;
  }

  // What a further part kept where its number was taken.
  isl::set JoinKept(const RunningExtremum& extremum, const FoundByParts& found, const FoundByParts& best,
                    size_t kept) {
    const isl::set instances = FurtherParts(found, best);
    v1::Statement* statement = AddStatement(instances, line_, &result_);
    const v1::Expression their_number = Read(instances, found.number, Further(best), statement);
    const v1::Expression own_number = Read(instances, best.number, part_, statement);
    const v1::Expression theirs = Read(instances, found.kept[kept], Further(best), statement);
    const v1::Expression own = Read(instances, best.kept[kept], part_, statement);
    statement->set_target(
        AddAccess(Element(instances, best.kept[kept], part_), v1::Access::WRITE, statement));
    const std::string& type = scop_.statement(extremum.Statements()[kept + 1]).proto->value().c_type();
    *statement->mutable_value() =
        MakeOperation(type, "?:", {IntOperation("==", {own_number, their_number}), theirs, own});
    return instances;
  }

  static v1::Expression IsBetter(const ExtremumComparison& comparison, const v1::Expression& their_number,
                                 const v1::Expression& own_number, const v1::Expression& theirs,
                                 const v1::Expression& own) {
    const v1::Expression better = IntOperation(comparison.IsLargest() ? ">" : "<", {theirs, own});
    const v1::Expression equal = IntOperation("==", {theirs, own});
    const v1::Expression earlier =
        IntOperation(comparison.KeepsFirst() ? "<" : ">", {their_number, own_number});
    const v1::Expression wins = IntOperation("||", {better, IntOperation("&&", {equal, earlier})});
    return IntOperation("&&", {IntOperation("!=", {their_number, Zero()}),
                               IntOperation("||", {IntOperation("==", {own_number, Zero()}), wins})});
  }

  // The scop's order, with what stands around the nests.
  isl::schedule Schedule() const {
    isl::union_pw_multi_aff origins = origins_;
    isl::union_set domain = domain_;
    for (const ParsedStatement& statement : scop_.statements) {
      if (Has(domain_, statement.name)) continue;
      origins = origins.union_add(isl::union_pw_multi_aff(
          isl::pw_multi_aff(statement.domain.space().identity_multi_aff_on_domain())));
      domain = domain.unite(isl::union_set(statement.domain));
    }
    const isl::schedule moved =
        IntersectDomain(scop_.schedule.pullback(origins), domain.intersect_params(scop_.context));
    const auto other = [&](const isl::union_set& part) -> std::optional<isl::schedule> {
      std::vector<isl::schedule> all;
      for (const NestEnds& ends : ends_) {
        if (Has(part, ends.condition)) all.insert(all.end(), ends.before.begin(), ends.before.end());
      }
      if (all.empty()) return std::nullopt;
      all.push_back(SchedulePart(OutermostLoop(moved, part), part));
      for (const NestEnds& ends : ends_) {
        if (Has(part, ends.condition)) all.insert(all.end(), ends.after.begin(), ends.after.end());
      }
      return SequenceOf(all);
    };
    return SchedulePart(moved.root().child(0), moved.domain(), other);
  }

  static bool Has(const isl::union_set& domain, const std::string& statement) {
    bool has = false;
    domain.foreach_set([&](const isl::set& set) { has = has || TupleName(set) == statement; });
    return has;
  }

  const ParsedScop& scop_;
  const isl::set values_;
  const PartLimits& limits_;
  v1::Scop result_;
  std::set<std::string> names_;  // C identifiers that are taken
  const std::string part_, round_;
  int line_ = 0;  // of the nest that is being split
  std::vector<NestEnds> ends_;
  isl::union_pw_multi_aff origins_;  // { S' -> S } of what is in parts
  isl::union_set domain_;            // { S' }
};

}  // namespace

std::optional<v1::Scop> SplitNests(const ParsedScop& scop, const std::vector<RunningExtremum>& extrema,
                                   const isl::set& values, const PartLimits& limits) {
  NestSplitter splitter(scop, values, limits);
  for (const RunningExtremum& extremum : extrema) splitter.Split(extremum);
  return splitter.Result();
}

}  // namespace tune
