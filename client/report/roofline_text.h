// How near a study's best time is to what its device allows.
#pragma once

#include <string>

#include "tune/v1/study.pb.h"

namespace tune {

// "62% of the bound: 1.31 TB/s of 2.11 TB/s through memory"; a time that is better than the bound allows is
// questioned. Empty where no bound is known, or no time. `seconds`: of the best candidate.
std::string RooflineText(const v1::Study& study, double seconds);

// "61.2 TFLOP/s, ..., 4.10 TB/s": what the device was seen to do at most; empty: it was not measured.
std::string PeaksText(const v1::Device& device);

}  // namespace tune
