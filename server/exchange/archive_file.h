// The archive file of studies, as the exchange service and the read API send it.
#pragma once

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/base/status.h"
#include "server/store/store.h"

namespace tune {

// The file of these studies, which have ended, in this order. `now` is told in it; without_texts leaves out
// logs, code and device files. Errors are those of ReadWholeStudy; INVALID_ARGUMENT: a study is named twice;
// RESOURCE_EXHAUSTED: it would be too large.
absl::StatusOr<std::string> WriteArchiveFile(const Store& store, const std::vector<std::string>& study_ids,
                                             bool without_texts, absl::Time now);

}  // namespace tune
