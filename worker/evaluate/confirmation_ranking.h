// Order of candidates that were measured side by side.
#pragma once

#include "tune/v1/study.pb.h"

namespace tune {

// Sorts by median, fastest first, candidates without a measurement last, and sets equal_to_best to those that
// cannot be told apart from the first with 95% confidence (Distinguishable in
// common/evaluation/measurement.h).
void RankConfirmation(v1::Confirmation* confirmation);

}  // namespace tune
