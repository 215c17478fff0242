// Checks and completes what a client submitted.
#pragma once

#include "common/base/status.h"
#include "tune/v1/study.pb.h"

namespace tune {

inline constexpr int64_t kMaxProgramBytes = int64_t{64} << 20;

// INVALID_ARGUMENT names the field, what is wrong with it, and the remedy.
absl::Status CheckSpec(const v1::StudySpec& spec);

// Where what is tuned stands: of hand-written kernels their file and the first one's name, without lines.
v1::SourceRegion RegionOf(const v1::StudySpec& spec);

// Replaces every zero by the default that study.proto names, so that a stored spec says all. A target that
// is left open stays so: the worker of the reference run decides.
void FillDefaults(v1::StudySpec* spec);

// A study as it begins: QUEUED, nothing evaluated. `spec` is filled in.
v1::Study NewStudy(const v1::StudySpec& spec, int64_t now_unix_ms);

}  // namespace tune
