// What a server keeps of an archive that may come from anybody.
#pragma once

#include "common/base/status.h"
#include "tune/v1/archive.pb.h"

namespace tune {

// Whether a candidate of an archive is stored: one without an evaluation would be handed to workers.
bool IsKept(const v1::Candidate& candidate);

// INVALID_ARGUMENT names what a server cannot keep: a study that has not ended, a spec that could not have
// been submitted, indices that occur twice, a best candidate that is missing, not correct or not as fast as
// the study tells, times and other numbers that are none, messages too large to be sent.
absl::Status CheckArchivedContent(const v1::ArchivedStudy& archived);

}  // namespace tune
