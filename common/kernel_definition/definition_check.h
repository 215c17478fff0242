// Whether a definition can be tuned.
#pragma once

#include <string>
#include <vector>

#include "common/parameters/parameter_space.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// A line for each fault, none where there is none: names, that expressions can be read and use known names
// alone, types and values, the default configuration and its launches, sizes. The source and other files are
// not looked at.
std::vector<std::string> FaultsOf(const v1::KernelDefinition& definition,
                                  const ParameterSpaceLimits& limits = {});

// INVALID_ARGUMENT with these lines.
absl::Status CheckDefinition(const v1::KernelDefinition& definition, const ParameterSpaceLimits& limits = {});

}  // namespace tune
