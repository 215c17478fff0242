// Whether a run has anything to measure.
#pragma once

#include <string>

#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Why the region executes no statement at the values that the reference's parameters have, and what to do:
// "n = 0, m = 5; run the program with larger sizes", or what FindUnmetContext says; empty where it executes
// some. Errors: those of IslContext::Run.
absl::StatusOr<std::string> WhyNothingIsExecuted(const v1::Scop& scop, const v1::Reference& reference);

}  // namespace tune
