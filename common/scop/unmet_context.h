// What a scop relies on and values of its parameters contradict.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// "n = 30: the region of f (line 4) can only be tuned where n <= 5, as otherwise ...", where the scop's
// context does not hold at these values of its parameters, products included; empty where it holds. The
// condition is in C. INVALID_ARGUMENT when the context is not in isl's notation.
absl::StatusOr<std::string> FindUnmetContext(const v1::Scop& scop,
                                             const std::map<std::string, int64_t>& values);

}  // namespace tune
