// Why no configuration is valid.
#pragma once

#include "common/parameters/diagram_builder.h"
#include "common/parameters/value_filter.h"

namespace tune {

// For a component without a valid configuration: FAILED_PRECONDITION with the one constraint that is never
// true, else two that are never true together, else a smallest set of which none can be left out.
absl::Status ExplainEmptiness(const ParameterSpaceDescription& description,
                              const std::vector<ParameterConstraint>& constraints,
                              const Candidates& candidates, const Component& component,
                              const ParameterSpaceLimits& limits);

}  // namespace tune
