// The variables that live inside the region.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "common/scop/scop.h"

namespace tune {

// The arrays declared inside the region that some statement uses at the given parameter values. Every extent
// is one more than the largest index used, so that nothing is needed of the user's declarations. To be called
// inside IslContext::Run; throws isl::exception.
std::vector<LocalVariable> FindLocalVariables(IslContext& context, const ParsedScop& scop,
                                              const std::map<std::string, int64_t>& parameter_values);

}  // namespace tune
