// Kernel Tuner's cache files, which can be large, entry by entry.
#pragma once

#include <optional>
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
  std::string objective;           // of a cache, as it calls it, the first of several; empty: it does not say
  std::optional<bool> maximise;    // of a cache of our own: whether more of it is better
};

// Reads no further than to `results`, or to a cache and its names. INVALID_ARGUMENT where that is no JSON.
absl::StatusOr<RecordedFormat> FormatOf(absl::string_view json);

// The candidates of a cache in one pass, which keeps of an entry no more than its candidate, and by another
// objective than time what that is computed of; `names` are those of the parameters. INVALID_ARGUMENT as
// ParseRecordedCandidates.
absl::StatusOr<std::vector<RecordedCandidate>> ReadCache(absl::string_view json,
                                                         const std::vector<std::string>& names,
                                                         const v1::SearchOptions& search);

}  // namespace tune
