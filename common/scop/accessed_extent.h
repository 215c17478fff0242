// Extents that C leaves open, Extent.accessed, at values of the parameters.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/base/status.h"
#include "common/isl/isl.h"

namespace tune {

// 0 where the function is not defined, or negative. INVALID_ARGUMENT where the text is no such function.
absl::StatusOr<int64_t> EvaluateAccessed(IslContext& context, const std::string& text,
                                         const std::map<std::string, int64_t>& values);

}  // namespace tune
