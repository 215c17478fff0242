// Kernel Tuner's cache files: exhaustively measured spaces.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "server/replay/recorded_space.h"

namespace tune {

// The candidates of a cache, or of results in the T4 format. Decisions of a cache are named and ordered by
// `tune_params_keys`; those of T4 results as their `configuration` objects are. An entry of a cache whose
// `time` is no number failed: its outcome follows from the word ("CompilationFailedConfig": COMPILE), RUNTIME
// where the word is not known. Times are taken as they stand (milliseconds, in caches). INVALID_ARGUMENT says
// what is wrong and where. `search`: as ReadRecordedFile.
absl::StatusOr<std::vector<RecordedCandidate>> ParseRecordedCandidates(absl::string_view json,
                                                                       v1::SearchOptions* search = nullptr);

}  // namespace tune
