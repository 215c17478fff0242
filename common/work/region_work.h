// What a region has to do at least: the numerator of its roofline.
#pragma once

#include <map>
#include <string>

#include "common/isl/isl.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Operations as CountOperations says; bytes of distinct elements that are read before the region writes them,
// and of those that it writes, arrays declared inside left out. Computed in an isl context of its own under
// `limits`. RESOURCE_EXHAUSTED when they end it; other errors are those of ParseScop.
absl::StatusOr<v1::RegionWork> CountRegionWork(const v1::Scop& scop,
                                               const std::map<std::string, int64_t>& parameter_values,
                                               const IslContext::Limits& limits = {1'000'000,
                                                                                   absl::Seconds(5)});

}  // namespace tune
