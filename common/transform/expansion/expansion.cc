#include "common/transform/expansion/expansion.h"

#include <algorithm>
#include <limits>
#include <set>

#include "common/transform/expansion/expanded_scop.h"
#include "common/transform/expansion/expansion_plan.h"

namespace tune {
namespace {

using Values = std::map<std::string, int64_t>;

absl::Status CheckValues(const ParsedScop& scop, const Values& parameter_values) {
  for (const v1::Parameter& parameter : scop.proto.parameters()) {
    if (parameter_values.count(parameter.name()) > 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("expanding arrays: parameter \"", parameter.name(), "\" has no value; give one"));
  }
  return absl::OkStatus();
}

// Whether `array` is one of the scop's that a statement writes, and no data decide which elements are
// accessed: others have no false dependences, or cannot have further subscripts.
bool MayBeExpanded(const ParsedScop& scop, const std::string& array) {
  bool written = false;
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::KILL) continue;
    for (const ParsedAccess& access : statement.accesses) {
      if (access.array != array) continue;
      if (access.of_data) return false;
      written = written || access.writes();
    }
  }
  return written;
}

std::vector<RangeExpansion> Plan(IslContext& context, const ParsedScop& scop, const Dependences& dependences,
                                 const std::string& array, const ExpansionLoops& loops,
                                 const Values& parameter_values) {
  if (!MayBeExpanded(scop, array)) return {};
  return PlanExpansion(scop, dependences, array, loops, ParameterValues(context, parameter_values));
}

Expandable Summary(const std::string& array, const ExpansionLoops& loops,
                   const std::vector<RangeExpansion>& plan) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  Expandable result{array, 0, loops.along, 0};
  for (const RangeExpansion& expansion : plan) {
    result.depth = std::max(result.depth, expansion.depth);
    result.bytes = expansion.bytes > kMost - result.bytes ? kMost : result.bytes + expansion.bytes;
  }
  return result;
}

absl::Status NothingToExpand(const std::string& array, const ExpansionLoops& loops) {
  return absl::FailedPreconditionError(absl::StrCat(
      "array \"", array, "\": no false dependence can be removed by copies for the ", loops.depth,
      " outermost loops", loops.along == CopiesAlong::kAllLoops ? "" : ", as far as they are parallel",
      "; take arrays and depths from FindExpandable on this very scop"));
}

absl::StatusOr<Expandable> Sized(IslContext& context, const ParsedScop& scop, const Dependences& dependences,
                                 const std::string& array, const ExpansionLoops& loops,
                                 const Values& parameter_values) {
  TUNE_RETURN_IF_ERROR(CheckValues(scop, parameter_values));
  return context.Run("sizing an expansion", [&]() -> absl::StatusOr<Expandable> {
    const std::vector<RangeExpansion> plan = Plan(context, scop, dependences, array, loops, parameter_values);
    if (plan.empty()) return NothingToExpand(array, loops);
    return Summary(array, loops, plan);
  });
}

}  // namespace

absl::StatusOr<std::vector<Expandable>> FindExpandable(IslContext& context, const ParsedScop& scop,
                                                       const Dependences& dependences,
                                                       const Values& parameter_values) {
  TUNE_RETURN_IF_ERROR(CheckValues(scop, parameter_values));
  return context.Run("looking for expandable arrays", [&]() -> absl::StatusOr<std::vector<Expandable>> {
    std::vector<Expandable> found;
    for (const v1::Array& array : scop.proto.arrays()) {
      const std::vector<RangeExpansion> plan =
          Plan(context, scop, dependences, array.name(), {}, parameter_values);
      if (!plan.empty()) found.push_back(Summary(array.name(), {}, plan));
    }
    return found;
  });
}

absl::StatusOr<Expandable> ExpandableAtDepth(IslContext& context, const ParsedScop& scop,
                                             const Dependences& dependences, const std::string& array,
                                             int depth, const Values& parameter_values) {
  return Sized(context, scop, dependences, array, {depth, CopiesAlong::kAllLoops}, parameter_values);
}

absl::StatusOr<Expandable> ExpandableAlong(IslContext& context, const ParsedScop& scop,
                                           const Dependences& dependences, const std::string& array,
                                           CopiesAlong along, const Values& parameter_values) {
  ExpansionLoops loops;
  loops.along = along;
  return Sized(context, scop, dependences, array, loops, parameter_values);
}

absl::StatusOr<v1::Scop> ExpandArrays(IslContext& context, const ParsedScop& scop,
                                      const Dependences& dependences,
                                      const std::vector<Expandable>& expansions,
                                      const Values& parameter_values) {
  TUNE_RETURN_IF_ERROR(CheckValues(scop, parameter_values));
  return context.Run("expanding arrays", [&]() -> absl::StatusOr<v1::Scop> {
    ExpandedScop result(scop);
    std::set<std::string> seen;
    for (const Expandable& expansion : expansions) {
      if (!seen.insert(expansion.array).second) {
        return absl::FailedPreconditionError(
            absl::StrCat("array \"", expansion.array, "\" is to be expanded twice at once; name it once"));
      }
      const ExpansionLoops loops = {expansion.depth, expansion.along};
      const std::vector<RangeExpansion> plan =
          Plan(context, scop, dependences, expansion.array, loops, parameter_values);
      if (plan.empty()) return NothingToExpand(expansion.array, loops);
      for (const RangeExpansion& range : plan) result.Add(expansion.array, range);
    }
    return result.Build();
  });
}

}  // namespace tune
