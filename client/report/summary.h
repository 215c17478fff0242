// A study's result, for people.
#pragma once

#include <string>

#include "absl/time/time.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Several lines: device, evaluations by outcome, sequential, default and best time with 95% intervals, gains
// with the ranges that the intervals allow, what cannot be told apart from the best, warnings, failure.
// Also for a study that still runs. With `colours` a result that is not faster (IsNoGain) is red.
std::string Summary(const v1::Study& study, bool colours = false);

// Everything about the study that Summary leaves out: options of the search, reference, region, times.
std::string StudyDetails(const v1::Study& study, absl::Time now);

}  // namespace tune
