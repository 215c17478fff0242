// What tune-analyser does.
#pragma once

#include "common/base/status.h"
#include "server/study/study_space.h"

namespace tune {

// Answers the requests of the descriptor `input` on `output` until its end. `make_space`: that of a study.
// INVALID_ARGUMENT and UNAVAILABLE as ReadFrame and WriteFrame.
absl::Status ServeAnalysis(int input, int output, const SpaceFactory& make_space);

}  // namespace tune
