// Builds the decision diagram of a component.
#pragma once

#include <optional>
#include <string>

#include "common/parameters/decision_diagram.h"
#include "common/parameters/parameter_order.h"

namespace tune {

// What building may still take, of several diagrams together.
struct BuildBudget {
  int64_t states;
  int64_t trials;
};

// `candidates`: for each parameter the indices of its values that come into question, ascending. Nothing
// where no configuration is valid. A constraint without a value at a configuration that all others allow is
// INVALID_ARGUMENT with the constraint, the values and the column; RESOURCE_EXHAUSTED where the budget ends.
absl::StatusOr<std::optional<DecisionDiagram>> BuildDiagram(
    const ParameterSpaceDescription& description, const std::vector<ParameterConstraint>& constraints,
    const std::vector<std::vector<int>>& candidates, const Component& component,
    const ParameterSpaceLimits& limits, BuildBudget* budget);

}  // namespace tune
