#include "common/parameters/value_filter.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "common/expression/evaluator.h"

namespace tune {
namespace {

absl::Status CheckConstant(const ParameterSpaceDescription& description,
                           const ParameterConstraint& constraint, const EvaluationLimits& limits) {
  const absl::StatusOr<Value> value = EvaluateNode(constraint.root, {}, limits);
  if (!value.ok()) return Annotate(value.status(), Describe(description, constraint));
  if (value->IsTrue()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("no configuration is valid: ", Describe(description, constraint), " is never true"));
}

// Takes out values for which it is false. True where it has a value for each.
bool Filter(const ParameterConstraint& constraint, const TuningParameter& parameter,
            const EvaluationLimits& limits, std::vector<int>* candidates) {
  std::vector<Value> slots(constraint.scope[0] + 1);
  bool all_have_values = true;
  const auto is_false = [&](int index) {
    slots.back() = parameter.values[index];
    const absl::StatusOr<Value> value = EvaluateNode(constraint.root, slots, limits);
    all_have_values = all_have_values && value.ok();
    return value.ok() && !value->IsTrue();
  };
  candidates->erase(std::remove_if(candidates->begin(), candidates->end(), is_false), candidates->end());
  return all_have_values;
}

}  // namespace

std::vector<int> CountsOf(const Candidates& candidates) {
  std::vector<int> counts;
  for (const std::vector<int>& of_parameter : candidates)
    counts.push_back(static_cast<int>(of_parameter.size()));
  return counts;
}

Candidates AllValues(const ParameterSpaceDescription& description) {
  Candidates candidates;
  for (const TuningParameter& parameter : description.parameters) {
    std::vector<int>& indices = candidates.emplace_back(parameter.values.size());
    for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<int>(i);
  }
  return candidates;
}

absl::StatusOr<Candidates> FilterValues(const ParameterSpaceDescription& description,
                                        const EvaluationLimits& limits,
                                        std::vector<ParameterConstraint>* constraints) {
  Candidates candidates = AllValues(description);
  std::vector<ParameterConstraint> left;
  std::vector<std::vector<std::string>> filters(candidates.size());
  for (ParameterConstraint& constraint : *constraints) {
    if (constraint.scope.empty()) {
      TUNE_RETURN_IF_ERROR(CheckConstant(description, constraint, limits));
      continue;
    }
    const int parameter = constraint.scope[0];
    const bool whole = constraint.scope.size() == 1 &&
                       Filter(constraint, description.parameters[parameter], limits, &candidates[parameter]);
    if (constraint.scope.size() == 1) filters[parameter].push_back(Describe(description, constraint));
    if (candidates[parameter].empty()) {
      return absl::FailedPreconditionError(absl::StrCat(
          "no configuration is valid: ", absl::StrJoin(filters[parameter], " and "), " leave",
          filters[parameter].size() == 1 ? "s " : " ", description.parameters[parameter].name, " no value"));
    }
    if (!whole) left.push_back(std::move(constraint));
  }
  *constraints = std::move(left);
  return candidates;
}

}  // namespace tune
