// Times of the original and the tuned program, and what may be said of them.
#pragma once

#include <vector>

#include "absl/strings/string_view.h"
#include "tune/v1/study.pb.h"

namespace tune {

// original[i] and tuned[i], in seconds, are of one pair of runs: medians, and the ratio with its interval
// (PairedRatio). What the clock did not see counts as a nanosecond.
v1::ComparedTimes CompareTimes(const std::vector<double>& original, const std::vector<double>& tuned);

// The tuned program is "faster" or "slower" where the whole interval of the ratio is on that side of 1, else
// it "cannot be told apart".
absl::string_view SpeedVerdict(const v1::ComparedTimes& times);

// That verdict is "faster".
bool IsFaster(const v1::ComparedTimes& times);

// Those that stand for a check: of the region's later executions where there are any, else of its first ones.
const v1::ComparedTimes& ProgramTimes(const v1::ProgramCheck& check);

}  // namespace tune
