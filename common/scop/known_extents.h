// The arrays' extents that follow from values of the parameters.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/isl/isl.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// By name, of those arrays all of whose extents are numbers at these values (integer_expression.h); of one
// that C leaves open what the region accesses. Errors: those of EvaluateAccessed.
absl::StatusOr<std::map<std::string, std::vector<int64_t>>> KnownExtents(
    IslContext& context, const v1::Scop& scop, const std::map<std::string, int64_t>& values);

}  // namespace tune
