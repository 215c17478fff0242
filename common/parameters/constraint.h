// Constraints of a space, prepared for being checked while parameters are bound one after the other.
#pragma once

#include <vector>

#include "common/parameters/parameter_space_description.h"

namespace tune {

// One condition: a constraint, or an operand of the `and` that it is.
struct ParameterConstraint {
  int source = 0;          // index among the description's constraints
  ExpressionNode root;     // names are indices of parameters
  std::vector<int> scope;  // the parameters that it uses, ascending
};

// Names become indices of parameters, constants their values, `and` several conditions. INVALID_ARGUMENT with
// the constraint where it uses another name.
absl::StatusOr<std::vector<ParameterConstraint>> PrepareConstraints(
    const ParameterSpaceDescription& description);

// `constraint "x % y == 0"`, for messages.
std::string Describe(const ParameterSpaceDescription& description, const ParameterConstraint& constraint);

}  // namespace tune
