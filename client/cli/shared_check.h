// Whether CPU and GPU can share what is to be submitted.
#pragma once

#include <vector>

#include "client/cli/session.h"
#include "common/base/status.h"
#include "tune/v1/study.pb.h"

namespace tune {

// OK for specs of other generators than kSharedGenerator. INVALID_ARGUMENT: the region of one cannot be
// divided, for the reason that `generate --target cpu+cuda` gives; it is of hand-written kernels; or its
// program has no main. FAILED_PRECONDITION: tune-generate is not installed. CANCELLED by Ctrl-C.
absl::Status CheckShareable(Session& session, const std::vector<v1::StudySpec>& specs);

}  // namespace tune
