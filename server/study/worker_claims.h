// What a worker says of a candidate is checked before it is believed.
#pragma once

#include "tune/v1/evaluation.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Shorter than any clock can tell: a sample below it was not measured.
inline constexpr double kShortestSeconds = 1e-9;

// A measurement of the worker's samples; what else it says of them is computed here again. Without samples
// where one of them is not a time (not a number, infinite, shorter than kShortestSeconds), or there are too
// many to be kept.
v1::Measurement TrustedMeasurement(const v1::Measurement& claimed);

// An evaluation without an outcome, and a correct one without a measurement, becomes a failure that says so;
// its other numbers are made ones that can be compared. Of its code nothing is known yet.
void CheckClaims(v1::Evaluation* evaluation);

// The same of a confirmation: a candidate without a measurement says so, times of programs that are none are
// left out.
void CheckClaims(v1::Confirmation* confirmation);

}  // namespace tune
