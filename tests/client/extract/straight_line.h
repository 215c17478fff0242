// A scop as the sequence of its statement instances: C without loops, in which nothing is left to
// interpretation.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune::testing {

// A C block that executes the region in its scheduled order for these parameter values. INVALID_ARGUMENT when
// it has more than `limit` instances.
absl::StatusOr<std::string> StraightLineCode(const v1::Scop& scop,
                                             const std::map<std::string, int64_t>& values, size_t limit);

}  // namespace tune::testing
