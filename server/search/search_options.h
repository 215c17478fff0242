// Defaults and limits of the search's constants.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Indices from here on belong to replays, which the search does not count.
inline constexpr int64_t kFirstReplayIndex = 1'000'000;

// The strategy that measures what carving leaves, and nothing else.
inline constexpr char kCarvingStrategy[] = "carving";

// What else SearchOptions.strategy may be.
const std::vector<std::string>& StrategyNames();

// Replaces every zero by the default that study.proto names, so that a stored study says what was used.
void FillDefaults(v1::SearchOptions* options);

// Of filled options. INVALID_ARGUMENT names the field, its value and what is accepted.
absl::Status CheckSearchOptions(const v1::SearchOptions& options);
// The same of a part; inspections may be 0, where there are some already.
absl::Status CheckCarveOptions(const v1::CarveOptions& options);

}  // namespace tune
