// Results that came too late to be a candidate's evaluation.
#pragma once

#include <string>

#include "server/store/store.h"

namespace tune {

// Keeps it as an extra sample, unless it is the candidate's evaluation itself, sent again because the
// acknowledgement was lost. OK also when there is no such candidate: nothing is to be kept then.
absl::Status KeepLateResult(Store* store, const std::string& study_id, const ExtraSample& sample);

}  // namespace tune
