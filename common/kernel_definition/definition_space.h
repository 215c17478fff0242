// The configurations of a definition.
#pragma once

#include "common/kernel_definition/definition_names.h"
#include "common/parameters/parameter_space.h"

namespace tune {

// INVALID_ARGUMENT where a constraint cannot be read; else ParameterSpace::Make's errors.
absl::StatusOr<ParameterSpace> ParameterSpaceOf(const v1::KernelDefinition& definition,
                                                const ParameterSpaceLimits& limits = {});

// The configuration that the definition's defaults say; parameters without one have the middle value, or the
// next to it that is valid. As indices of values. FAILED_PRECONDITION with the constraints that exclude it;
// else as above.
absl::StatusOr<ParameterChoice> DefaultConfiguration(const v1::KernelDefinition& definition,
                                                     const ParameterSpaceLimits& limits = {});

// The valid configuration next to the defaults, where these are not valid together: what a walk through the
// parameters takes of them. Errors as ParameterSpaceOf.
absl::StatusOr<ParameterChoice> NearestToDefaults(const v1::KernelDefinition& definition,
                                                  const ParameterSpaceLimits& limits = {});

// The values of a choice. Precondition: one of each parameter.
std::vector<Value> ValuesOf(const v1::KernelDefinition& definition, const ParameterChoice& choice);

// "block_x=32, tile=2".
std::string PrintValues(const v1::KernelDefinition& definition, absl::Span<const Value> configuration);

}  // namespace tune
