// A part of a region as C for the host.
#pragma once

#include <string>

#include "common/base/status.h"
#include "worker/parts/divided_region.h"

namespace tune {

// A block of OpenMP C in the user's own names that runs the instances of `part`, DividedRegion::part or the
// same with more facts in its context: the region's own loops. Sizes are the program's variables; `first` and
// `end` are C expressions of the part's values. Errors of ScheduleSpace and of isl.
absl::StatusOr<std::string> PrintHostPart(const v1::Scop& part, const std::string& first,
                                          const std::string& end);

}  // namespace tune
