#include "common/parameters/contradiction.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_join.h"

namespace tune {
namespace {

// Looks whether some constraints of the component are true together.
class Contradiction {
 public:
  Contradiction(const ParameterSpaceDescription& description,
                const std::vector<ParameterConstraint>& constraints, const Candidates& candidates,
                const Component& component, const ParameterSpaceLimits& limits)
      : description_(description),
        constraints_(constraints),
        component_(component),
        candidates_(candidates),
        limits_(limits),
        budget_{limits.states, limits.trials / 10} {
    for (const int c : component.constraints) sources_.insert(constraints[c].source);
  }

  // Indices of the description's constraints.
  std::vector<int> Find() {
    const std::vector<int> all(sources_.begin(), sources_.end());
    for (const int one : all) {
      if (IsEmpty({one})) return {one};
    }
    for (size_t i = 0; i < all.size(); ++i) {
      for (size_t j = i + 1; j < all.size(); ++j) {
        if (IsEmpty({all[i], all[j]})) return {all[i], all[j]};
      }
    }
    std::set<int> left = sources_;
    for (const int one : all) {
      left.erase(one);
      if (!IsEmpty(left)) left.insert(one);
    }
    return {left.begin(), left.end()};
  }

 private:
  // False also where that takes too long to know.
  bool IsEmpty(const std::set<int>& sources) {
    std::vector<ParameterConstraint> some;
    for (const int c : component_.constraints) {
      if (sources.contains(constraints_[c].source)) some.push_back(constraints_[c]);
    }
    for (const Component& component : OrderParameters(some, CountsOf(candidates_))) {
      if (component.constraints.empty()) continue;
      const auto diagram = BuildDiagram(description_, some, candidates_, component, limits_, &budget_);
      if (diagram.ok() && !diagram->has_value()) return true;
    }
    return false;
  }

  const ParameterSpaceDescription& description_;
  const std::vector<ParameterConstraint>& constraints_;
  const Component& component_;
  const Candidates& candidates_;
  const ParameterSpaceLimits& limits_;
  BuildBudget budget_;
  std::set<int> sources_;
};

}  // namespace

absl::Status ExplainEmptiness(const ParameterSpaceDescription& description,
                              const std::vector<ParameterConstraint>& constraints,
                              const Candidates& candidates, const Component& component,
                              const ParameterSpaceLimits& limits) {
  const std::vector<int> sources =
      Contradiction(description, constraints, candidates, component, limits).Find();
  const std::string names = absl::StrJoin(sources, " and ", [&](std::string* text, int source) {
    ParameterConstraint constraint;
    constraint.source = source;
    absl::StrAppend(text, Describe(description, constraint));
  });
  return absl::FailedPreconditionError(absl::StrCat("no configuration is valid: ", names,
                                                    sources.size() == 1   ? " is never true"
                                                    : sources.size() == 2 ? " contradict each other"
                                                                          : " are never true together"));
}

}  // namespace tune
