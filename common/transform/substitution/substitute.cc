#include "common/transform/substitution/substitute.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "common/array/element_type.h"
#include "common/dependence/tagged_flow.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule_part.h"
#include "common/isl/tuple_name.h"
#include "common/scop/expression_parts.h"
#include "common/transform/instance_times.h"
#include "common/transform/statement_pullback.h"

namespace tune {
namespace {

struct Read {
  int statement = 0;
  int access = 0;
};

struct Scalar {
  std::string array;
  int setter = 0;
  std::vector<Read> reads;
};

// One instruction, as those of operators are.
bool IsMagnitude(const v1::Call& call) { return call.function() == "fabs" || call.function() == "fabsf"; }

bool HasCall(const v1::Expression& value) {
  bool has = value.has_call() && !IsMagnitude(value.call());
  ForEachPart(value, [&](const v1::Expression& part) { has = has || HasCall(part); });
  return has;
}

// { To -> From }: of equal iterators, of which From may have fewer, the outer ones.
isl::multi_aff SameIterators(const ParsedStatement& to, const ParsedStatement& from) {
  const int outer = Dimensions(from.domain, isl_dim_set);
  const isl::map same = IdentityMap(to.domain.space().map_from_set());
  const isl::map own = ProjectOut(same, isl_dim_out, outer, Dimensions(to.domain, isl_dim_set) - outer);
  return WithTupleName(own, isl_dim_out, from.name).as_pw_multi_aff().as_multi_aff();
}

class ScalarSearch {
 public:
  ScalarSearch(const ParsedScop& scop, const Dependences& dependences, const std::set<std::string>* only)
      : scop_(scop), dependences_(dependences), only_(only), times_(InstanceTimes(scop.schedule)) {}

  // Those of which none is part of another one's value: others wait until these are gone.
  std::vector<Scalar> Find() const {
    std::vector<Scalar> found, all;
    for (const v1::Array& array : scop_.proto.arrays()) {
      if (!array.declared_inside() || array.extents_size() > 0) continue;
      if (only_ != nullptr && only_->count(array.name()) == 0) continue;
      const std::optional<Scalar> scalar = ReferencesOf(array.name());
      if (!scalar || !IsSubstitutable(*scalar)) continue;
      const bool waits = std::any_of(all.begin(), all.end(), [&](const Scalar& other) {
        return IsPartOf(*scalar, other) || IsPartOf(other, *scalar);
      });
      if (!waits) found.push_back(*scalar);
      all.push_back(*scalar);
    }
    return found;
  }

 private:
  static bool IsPartOf(const Scalar& part, const Scalar& whole) {
    return std::any_of(part.reads.begin(), part.reads.end(),
                       [&](const Read& read) { return read.statement == whole.setter; });
  }

  // Nothing where they are not one that sets it and a few that read it.
  std::optional<Scalar> ReferencesOf(const std::string& array) const {
    Scalar scalar{array, -1, {}};
    for (size_t s = 0; s < scop_.statements.size(); ++s) {
      const ParsedStatement& statement = scop_.statements[s];
      if (statement.kind != v1::Statement::ASSIGN) continue;
      for (size_t a = 0; a < statement.accesses.size(); ++a) {
        const ParsedAccess& access = statement.accesses[a];
        if (access.array != array) continue;
        if (access.kind == v1::Access::UPDATE) return std::nullopt;
        if (access.kind == v1::Access::READ) {
          scalar.reads.push_back({static_cast<int>(s), static_cast<int>(a)});
        } else if (scalar.setter >= 0) {
          return std::nullopt;
        } else {
          scalar.setter = static_cast<int>(s);
        }
      }
    }
    if (scalar.setter < 0 || scalar.reads.empty() || static_cast<int>(scalar.reads.size()) > kMostReads)
      return std::nullopt;
    return scalar;
  }

  bool IsSubstitutable(const Scalar& scalar) const {
    const ParsedStatement& setter = scop_.statements[scalar.setter];
    if (HasCall(setter.proto->value())) return false;
    const auto of_data = [](const ParsedAccess& access) { return access.of_data; };
    if (std::any_of(setter.accesses.begin(), setter.accesses.end(), of_data)) return false;
    return std::all_of(scalar.reads.begin(), scalar.reads.end(), [&](const Read& read) {
      return IsNoWork(setter, scop_.statements[read.statement]) && ReadsOwnIteration(setter, read) &&
             OperandsStay(setter, scop_.statements[read.statement]) &&
             KeepsType(scalar, scop_.statements[read.statement]);
    });
  }

  // Whether an update of the reader is of the scalar's type, as it may become an assignment.
  bool KeepsType(const Scalar& scalar, const ParsedStatement& reader) const {
    if (reader.proto->update() == v1::NONE) return !reader.target().of_data;
    const v1::ElementType type = scop_.array(reader.target().array).element_type();
    return type == scop_.array(scalar.array).element_type() &&
           reader.proto->value().c_type() == ElementCType(type) && !reader.target().of_data;
  }

  // Whether the value is not computed more often than before, or is an element's.
  static bool IsNoWork(const ParsedStatement& setter, const ParsedStatement& reader) {
    const int inner = reader.proto->iterators_size() - setter.proto->iterators_size();
    return inner == 0 || (inner > 0 && setter.proto->value().kind_case() == v1::Expression::kAccess);
  }

  bool ReadsOwnIteration(const ParsedStatement& setter, const Read& read) const {
    const ParsedStatement& reader = scop_.statements[read.statement];
    const isl::union_map flow = FlowTo(dependences_.tagged_flow, reader.domain, reader.name, read.access);
    const isl::map own = SameIterators(reader, setter).as_map().reverse().intersect_range(reader.domain);
    return flow.is_equal(isl::union_map(own).intersect_range(scop_.domain));
  }

  // Whether nothing writes what the setter reads between it and the reader.
  bool OperandsStay(const ParsedStatement& setter, const ParsedStatement& reader) const {
    const isl::union_map own(SameIterators(reader, setter).as_map());  // { R -> D }
    for (const ParsedAccess& access : setter.accesses) {
      if (!access.reads()) continue;
      const isl::union_map read = isl::union_map(access.relation).intersect_domain(scop_.domain);
      const isl::union_map written = Earlier(read.apply_range(scop_.writes.reverse()));        // { D -> W }
      const isl::union_map between = own.intersect_domain(scop_.domain).apply_range(written);  // { R -> W }
      if (!Earlier(between.reverse()).is_empty()) return false;
    }
    return true;
  }

  // Those pairs { S -> S' } whose first instance is the earlier one.
  isl::union_map Earlier(const isl::union_map& pairs) const {
    if (pairs.is_empty()) return pairs;
    return pairs.intersect(
        LexLess(times_.intersect_domain(pairs.domain()), times_.intersect_domain(pairs.range())));
  }

  const ParsedScop& scop_;
  const Dependences& dependences_;
  const std::set<std::string>* const only_;
  const isl::union_map times_;  // { S -> T }
};

// Expressions whose accesses are renumbered: `numbers[a]` is what access a becomes.
void Renumber(const std::vector<int>& numbers, v1::Expression* value) {
  if (value->kind_case() == v1::Expression::kAccess) value->set_access(numbers[value->access()]);
  ForEachPart(value, [&](v1::Expression* part) { Renumber(numbers, part); });
}

void ReplaceAccess(int access, const v1::Expression& by, v1::Expression* value) {
  if (value->kind_case() == v1::Expression::kAccess && value->access() == access) {
    *value = by;
    return;
  }
  ForEachPart(value, [&](v1::Expression* part) { ReplaceAccess(access, by, part); });
}

// An update whose operand reads the element that it changes as the assignment that it stands for: operands of
// updates are not what they change.
void BecomeAssignment(v1::Statement* statement) {
  v1::Access* const target = statement->mutable_accesses(statement->target());
  const v1::Expression operand = statement->value();
  const std::string& type = operand.c_type();
  v1::Expression old;
  old.set_c_type(type);
  old.set_access(statement->accesses_size());
  v1::Access read = *target;
  read.set_kind(v1::Access::READ);
  target->set_kind(v1::Access::WRITE);
  *statement->add_accesses() = read;
  v1::Expression value;
  switch (statement->update()) {
    case v1::ADD:
      value = MakeOperation(type, "+", {old, operand});
      break;
    case v1::MULTIPLY:
      value = MakeOperation(type, "*", {old, operand});
      break;
    case v1::MIN:
      value = MakeOperation(type, "?:", {MakeOperation("int", "<", {operand, old}), operand, old});
      break;
    default:
      value = MakeOperation(type, "?:", {MakeOperation("int", "<", {old, operand}), operand, old});
  }
  statement->set_update(v1::NONE);
  *statement->mutable_value() = value;
}

// Whether some instance, of `domain`, { S }, reads the element that it writes as an operand.
bool ReadsTarget(const v1::Statement& statement, const isl::set& domain) {
  const v1::Access& target = statement.accesses(statement.target());
  const isl::map written(domain.ctx(), target.relation());
  return std::any_of(statement.accesses().begin(), statement.accesses().end(), [&](const v1::Access& access) {
    if (access.kind() != v1::Access::READ || access.array() != target.array()) return false;
    return !isl::map(domain.ctx(), access.relation()).intersect(written).intersect_domain(domain).is_empty();
  });
}

class Substitution {
 public:
  Substitution(const ParsedScop& scop, const std::vector<Scalar>& scalars) : scop_(scop), scalars_(scalars) {}

  v1::Scop Apply() const {
    v1::Scop result = scop_.proto;
    result.clear_statements();
    isl::union_pw_multi_aff origin = isl::union_pw_multi_aff::empty(scop_.domain.ctx());  // { S' -> S }
    isl::union_set domain = isl::union_set::empty(scop_.domain.ctx());
    for (size_t s = 0; s < scop_.statements.size(); ++s) {
      if (IsOfScalarsAlone(static_cast<int>(s))) continue;
      const ParsedStatement& statement = scop_.statements[s];
      const std::string name = absl::StrCat("S", result.statements_size());
      v1::Statement* const added = result.add_statements();
      *added = WithValues(static_cast<int>(s));
      const isl::multi_aff own = InstancesNamed(name, statement);
      Rename(statement, own, added);
      added->set_domain(IslText(statement.domain.preimage(own).gist_params(scop_.context)));
      origin = origin.union_add(isl::union_pw_multi_aff(isl::pw_multi_aff(own)));
      domain = domain.unite(isl::union_set(statement.domain.preimage(own)));
    }
    // Without the places of what is gone.
    const isl::schedule_node tree = scop_.schedule.pullback(origin).root();
    result.set_schedule(IslText(SchedulePart(tree.child(0), domain)));
    RemoveArrays(&result);
    return result;
  }

 private:
  // What sets one, and declarations of it.
  bool IsOfScalarsAlone(int statement) const {
    const ParsedStatement& parsed = scop_.statements[statement];
    const bool kills = parsed.kind == v1::Statement::KILL;
    return std::any_of(scalars_.begin(), scalars_.end(), [&](const Scalar& scalar) {
      return statement == scalar.setter || (kills && parsed.accesses[0].array == scalar.array);
    });
  }

  // The statement, which computes the scalars where it read them.
  v1::Statement WithValues(int index) const {
    v1::Statement result = *scop_.statements[index].proto;
    std::set<int> replaced;
    for (const Scalar& scalar : scalars_) {
      for (const Read& read : scalar.reads) {
        if (read.statement != index) continue;
        ReplaceAccess(read.access, ValueFor(scalar, index, &result), result.mutable_value());
        replaced.insert(read.access);
      }
    }
    RemoveAccesses(replaced, &result);
    const bool updates = !replaced.empty() && result.update() != v1::NONE;
    if (updates && ReadsTarget(result, scop_.statements[index].domain)) BecomeAssignment(&result);
    return result;
  }

  // A scalar's value at the statement's instances, of accesses that are added to `result`.
  v1::Expression ValueFor(const Scalar& scalar, int index, v1::Statement* result) const {
    const ParsedStatement& setter = scop_.statements[scalar.setter];
    v1::Statement moved = *setter.proto;
    PullBack(setter, SameIterators(scop_.statements[index], setter), &moved);
    std::vector<int> numbers(moved.accesses_size(), -1);
    for (int a = 0; a < moved.accesses_size(); ++a) {
      if (a == moved.target()) continue;
      numbers[a] = result->accesses_size();
      *result->add_accesses() = moved.accesses(a);
    }
    v1::Expression value = moved.value();
    Renumber(numbers, &value);
    const std::string type(ElementCType(scop_.array(scalar.array).element_type()));
    return ConvertedTo(type, std::move(value));
  }

  static void RemoveAccesses(const std::set<int>& removed, v1::Statement* statement) {
    std::vector<int> numbers(statement->accesses_size(), -1);
    v1::Statement kept = *statement;
    kept.clear_accesses();
    for (int a = 0; a < statement->accesses_size(); ++a) {
      if (removed.count(a) > 0) continue;
      numbers[a] = kept.accesses_size();
      *kept.add_accesses() = statement->accesses(a);
    }
    if (kept.kind() == v1::Statement::ASSIGN) kept.set_target(numbers[kept.target()]);
    Renumber(numbers, kept.mutable_value());
    *statement = kept;
  }

  // Relations and affine values of `result`, of `statement`'s name, as those of the new one.
  static void Rename(const ParsedStatement& statement, const isl::multi_aff& own, v1::Statement* result) {
    ParsedStatement changed = statement;
    changed.proto = result;
    changed.accesses.clear();
    for (const v1::Access& access : result->accesses()) {
      const isl::map relation(own.ctx(), access.relation());
      changed.accesses.push_back({access.array(), access.kind(), relation, false});
    }
    PullBack(changed, own, result);
  }

  void RemoveArrays(v1::Scop* scop) const {
    auto* const arrays = scop->mutable_arrays();
    const auto is_gone = [&](const v1::Array& array) {
      return std::any_of(scalars_.begin(), scalars_.end(),
                         [&](const Scalar& scalar) { return scalar.array == array.name(); });
    };
    arrays->erase(std::remove_if(arrays->begin(), arrays->end(), is_gone), arrays->end());
  }

  const ParsedScop& scop_;
  const std::vector<Scalar>& scalars_;
};

}  // namespace

absl::StatusOr<std::optional<v1::Scop>> SubstituteScalars(IslContext& context, const ParsedScop& scop,
                                                          const Dependences& dependences,
                                                          const std::set<std::string>* only) {
  std::optional<v1::Scop> result;
  std::shared_ptr<const ParsedScop> parsed;
  Dependences own = dependences;
  for (const ParsedScop* current = &scop;; current = parsed.get()) {
    TUNE_ASSIGN_OR_RETURN(const bool found,
                          context.Run("substituting scalars", [&]() -> absl::StatusOr<bool> {
                            const std::vector<Scalar> scalars = ScalarSearch(*current, own, only).Find();
                            if (!scalars.empty()) result = Substitution(*current, scalars).Apply();
                            return !scalars.empty();
                          }));
    if (!found) return result;
    TUNE_ASSIGN_OR_RETURN(parsed, ParseScop(context, *result));
    TUNE_ASSIGN_OR_RETURN(own, ComputeDependences(context, *parsed));
  }
}

}  // namespace tune
