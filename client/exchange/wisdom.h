// Best configurations as lines of JSON that Kernel Launcher reads at run time (.wisdom).
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/archive.pb.h"

namespace tune {

// A line that names key, objective and decisions (of hand-written kernels all their parameters), then one
// line a study: the parameter values as problem size, the best configuration's options in the order of the
// header, its value of the objective (times in milliseconds, else the units of UnitOf), the device. A
// decision that a configuration does not reach has the empty text. INVALID_ARGUMENT: the studies are of
// different kernels or objectives, or one has nothing correct.
absl::StatusOr<std::string> WriteWisdom(const std::vector<v1::ArchivedStudy>& studies);

}  // namespace tune
