// Constraints over one parameter, and over none.
#pragma once

#include <vector>

#include "common/parameters/constraint.h"

namespace tune {

// For each parameter the indices of its values that come into question, ascending.
using Candidates = std::vector<std::vector<int>>;

std::vector<int> CountsOf(const Candidates& candidates);

// All values.
Candidates AllValues(const ParameterSpaceDescription& description);

// Values for which constraints over one parameter are true; these constraints are taken out, unless they have
// no value for one of the values. FAILED_PRECONDITION with the constraint where one over no parameter is
// false or those over a parameter leave it no value; INVALID_ARGUMENT where one over none has no value.
absl::StatusOr<Candidates> FilterValues(const ParameterSpaceDescription& description,
                                        const EvaluationLimits& limits,
                                        std::vector<ParameterConstraint>* constraints);

}  // namespace tune
