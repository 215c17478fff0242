#include "common/transform/split_extrema/running_extremum.h"

#include <algorithm>
#include <set>

#include "common/dependence/common_loops.h"
#include "common/dependence/tagged_flow.h"
#include "common/schedule/statement_group.h"
#include "common/transform/split_extrema/outermost_loop.h"
#include "common/transform/split_extrema/same_expression.h"

namespace tune {
namespace {

bool Uses(const ParsedStatement& statement, const std::string& array) {
  return std::any_of(statement.accesses.begin(), statement.accesses.end(),
                     [&](const ParsedAccess& access) { return access.array == array; });
}

class ExtremumFinder {
 public:
  ExtremumFinder(const ParsedScop& scop, const Dependences& dependences)
      : scop_(scop), dependences_(dependences), same_(scop, dependences) {}

  std::optional<RunningExtremum> At(const ParsedStatement& condition) const {
    if (condition.kind != v1::Statement::ASSIGN || condition.proto->update() != v1::NONE) return std::nullopt;
    RunningExtremum found;
    found.condition = condition.name;
    found.flag = condition.target().array;
    if (!IsScalar(found.flag) || !scop_.array(found.flag).declared_inside()) return std::nullopt;
    if (!ReadStatements(condition, &found) || !SetTimes(condition, &found) || IsUsedBeside(found) ||
        WaitsForIterations(found))
      return std::nullopt;
    return found;
  }

 private:
  bool IsScalar(const std::string& array) const { return scop_.array(array).extents_size() == 0; }

  // Of all statements that use the flag; false where one of them has another form.
  bool ReadStatements(const ParsedStatement& condition, RunningExtremum* found) const {
    bool first = true;
    for (const ParsedStatement& statement : scop_.statements) {
      if (&statement == &condition || statement.kind == v1::Statement::KILL || !Uses(statement, found->flag))
        continue;
      const std::optional<KeepingForm> form = ReadKeepingForm(*statement.proto, found->flag);
      if (!form || !IsScalar(statement.target().array) || !FollowsFlag(condition, statement, found->flag))
        return false;
      if (!first && form->negated != found->negated) return false;
      found->negated = form->negated;
      first = false;
      const std::vector<v1::Expression> known = Conjuncts(condition.proto->value());
      const bool all_known = std::all_of(form->besides.begin(), form->besides.end(), [&](const auto& beside) {
        return !form->negated && std::any_of(known.begin(), known.end(), [&](const auto& one) {
          return same_.Are(condition, one, statement, beside);
        });
      });
      if (!all_known) return false;
      if (!Uses(condition, statement.target().array)) {
        found->others.push_back(statement.name);
      } else if (!found->value.empty() || !ReadComparisonWith(condition, statement, *form, found)) {
        return false;
      } else {
        found->value = statement.name;
      }
    }
    return !found->value.empty();
  }

  // The statement has the condition's iterations, and in each of them the flag is that of this iteration.
  bool FollowsFlag(const ParsedStatement& condition, const ParsedStatement& statement,
                   const std::string& flag) const {
    if (statement.domain.tuple_dim() != condition.domain.tuple_dim()) return false;
    const isl::map own = SameIterations(condition, statement);  // { C -> S }
    const isl::map all = own.intersect_domain(condition.domain).intersect_params(scop_.context);
    if (!all.is_equal(own.intersect_range(statement.domain).intersect_params(scop_.context))) return false;
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      if (statement.accesses[a].array != flag) continue;
      if (statement.accesses[a].writes()) return false;
      const isl::union_map flow =
          FlowTo(dependences_.tagged_flow, statement.domain, statement.name, static_cast<int>(a));
      if (!flow.is_equal(isl::union_map(all))) return false;
    }
    return true;
  }

  // Of what the condition compares with the statement's scalar; false where that is not what this keeps.
  bool ReadComparisonWith(const ParsedStatement& condition, const ParsedStatement& statement,
                          const KeepingForm& form, RunningExtremum* found) const {
    const std::string& extremum = statement.target().array;
    const v1::ElementType type = scop_.array(extremum).element_type();
    const auto uses = std::count_if(condition.accesses.begin(), condition.accesses.end(),
                                    [&](const ParsedAccess& access) { return access.array == extremum; });
    if (uses != 1) return false;
    const std::vector<v1::Expression> conjuncts = Conjuncts(condition.proto->value());
    std::optional<ExtremumComparison> comparison;
    for (const v1::Expression& conjunct : conjuncts) {
      if (!comparison) comparison = ReadComparison(*condition.proto, conjunct, extremum);
    }
    // What holds where one of several conditions does not is no comparison.
    if (comparison && form.negated)
      comparison = conjuncts.size() == 1 ? Negated(*comparison, type) : std::nullopt;
    if (!comparison || !HasValuesOf(comparison->element, type) ||
        !same_.Are(condition, comparison->element, statement, Unconverted(form.value, type)))
      return false;
    found->comparison = *comparison;
    return true;
  }

  // False where the nest's loops do not tell the iterations apart.
  bool SetTimes(const ParsedStatement& condition, RunningExtremum* found) const {
    const isl::union_set instances = isl::union_set(condition.domain).intersect(scop_.domain);
    for (const isl::multi_union_pw_aff& loop : CommonLoops(scop_.schedule, instances)) {
      const ScheduleRow row = ScheduleRow::Of(loop.at(0), {condition.name});
      const auto time = row.times.find(condition.name);
      if (time == row.times.end()) return false;
      found->times.push_back(time->second);
    }
    return !found->times.empty() && found->times.size() == condition.domain.tuple_dim();
  }

  // Whether anything else has to do with the flag, or in the nest with what the statements keep.
  bool IsUsedBeside(const RunningExtremum& found) const {
    std::set<std::string> kept;
    const std::vector<std::string> own = found.Statements();
    for (const std::string& name : own) {
      if (name != found.condition && !kept.insert(scop_.statement(name).target().array).second) return true;
    }
    const isl::union_set nest = NestOf(found);
    for (const ParsedStatement& statement : scop_.statements) {
      if (std::find(own.begin(), own.end(), statement.name) != own.end()) {
        if (UsesOfOthers(statement, found, kept)) return true;
        continue;
      }
      if (statement.kind == v1::Statement::KILL && statement.accesses[0].array == found.flag) continue;
      if (Uses(statement, found.flag)) return true;
      if (nest.intersect(isl::union_set(statement.domain)).is_empty()) continue;
      for (const std::string& array : kept) {
        if (Uses(statement, array)) return true;
      }
    }
    return false;
  }

  isl::union_set NestOf(const RunningExtremum& found) const {
    const isl::union_set instances(scop_.statement(found.condition).domain);
    const isl::schedule_node loop = OutermostLoop(scop_.schedule, instances.intersect(scop_.domain));
    return loop.is_null() ? scop_.domain : NodeDomain(loop);
  }

  // Whether what others in the nest compute for it, in one or several steps, needs iterations before, as in
  // `s = s / 2 + a[i]; if (s > m) ...`: then parts would have to follow one another.
  bool WaitsForIterations(const RunningExtremum& found) const {
    isl::union_set own = isl::union_set::empty(scop_.domain.ctx());
    for (const std::string& name : found.Statements())
      own = own.unite(isl::union_set(scop_.statement(name).domain));
    const isl::union_set others = NestOf(found).subtract(own);
    const isl::union_map flow = dependences_.flow.intersect_domain(others);  // { S -> S }
    isl::union_set sources = flow.intersect_range(own).domain();
    for (isl::union_set reached = sources; !reached.is_empty();) {
      reached = flow.intersect_range(reached).domain().subtract(sources);
      sources = sources.unite(reached);
    }
    const isl::union_map between = flow.intersect_range(sources);
    if (between.is_empty()) return false;
    const std::vector<bool> carried = Carried(between, CommonLoops(scop_.schedule, sources));
    return std::find(carried.begin(), carried.end(), true) != carried.end();
  }

  // Whether one of the extremum's own statements uses what another one keeps, but for the comparison.
  bool UsesOfOthers(const ParsedStatement& statement, const RunningExtremum& found,
                    const std::set<std::string>& kept) const {
    const std::string& extremum = scop_.statement(found.value).target().array;
    const bool compares = statement.name == found.condition;
    int uses = 0;
    for (const ParsedAccess& access : statement.accesses) {
      if (kept.count(access.array) == 0) continue;
      if (access.array != (compares ? extremum : statement.target().array)) return true;
      ++uses;
    }
    // What a statement keeps it reads once, and writes.
    return uses != (compares ? 1 : 2);
  }

  const ParsedScop& scop_;
  const Dependences& dependences_;
  const SameExpressions same_;
};

}  // namespace

std::vector<std::string> RunningExtremum::Statements() const {
  std::vector<std::string> all = {condition, value};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

std::vector<RunningExtremum> FindRunningExtrema(const ParsedScop& scop, const Dependences& dependences) {
  const ExtremumFinder finder(scop, dependences);
  std::vector<RunningExtremum> all;
  for (const ParsedStatement& statement : scop.statements) {
    if (std::optional<RunningExtremum> found = finder.At(statement)) all.push_back(*std::move(found));
  }
  return all;
}

}  // namespace tune
