// In which order parameters are bound.
#pragma once

#include <vector>

#include "common/parameters/constraint.h"

namespace tune {

// Parameters, and constraints over them: no constraint is over parameters of two components.
struct Component {
  std::vector<int> parameters;   // in the order in which they are bound
  std::vector<int> constraints;  // indices
};

// `value_counts`: of each parameter. Components are in the order of their first parameters; within one,
// parameters are in an order in which constraints are checked early and few are begun and not yet checked.
std::vector<Component> OrderParameters(const std::vector<ParameterConstraint>& constraints,
                                       const std::vector<int>& value_counts);

}  // namespace tune
