// Kernel Tuner's cache files, which can be large, entry by entry.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "server/replay/recorded_space.h"

namespace tune {

// What a text in JSON is, as far as its beginning tells.
struct RecordedFormat {
  bool is_object = false;
  bool has_results = false;        // T4
  bool has_cache = false;          // Kernel Tuner
  bool has_names = false;          // `tune_params_keys`
  std::vector<std::string> names;  // of a cache's parameters, in their order
};

// Reads no further than to `results`, or to a cache and its names. INVALID_ARGUMENT where that is no JSON.
absl::StatusOr<RecordedFormat> FormatOf(absl::string_view json);

// The candidates of a cache in one pass, which keeps of an entry no more than its candidate; `names` are
// those of the parameters. INVALID_ARGUMENT as ParseRecordedCandidates.
absl::StatusOr<std::vector<RecordedCandidate>> ReadCache(absl::string_view json,
                                                         const std::vector<std::string>& names);

}  // namespace tune
