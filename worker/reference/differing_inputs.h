// Whether two runs of a program come to its region with the same values.
#pragma once

#include <string>

#include "common/base/status.h"
#include "tune/v1/study.pb.h"
#include "worker/reference/reference_data.h"

namespace tune {

// The first element of an array that the region reads which differs between the reference's run and another
// one, whose arrays `folder` has in in/, why, and what to do about it: a clause for a message. Empty: none
// does. What both runs compute from such elements cannot be compared. Where one differs, the program runs
// once more to tell whether it has no value before the region (IsUninitialised).
absl::StatusOr<std::string> DifferingInput(const v1::StudySetup& setup, const ReferenceTools& tools,
                                           const ReferenceData& reference, const std::string& folder);

}  // namespace tune
