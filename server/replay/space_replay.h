// Runs strategies on a recorded space.
#pragma once

#include <vector>

#include "server/replay/recorded_space.h"
#include "tune/v1/study.pb.h"

namespace tune {

// The best time after each evaluation; infinite before the first correct one. As many as the budget, or as
// the space has candidates.
struct SpaceReplay {
  uint64_t seed = 0;
  std::vector<double> best_so_far;
};

// `options` with defaults filled in; its `evaluations` is the budget. A failed candidate counts as an
// evaluation. The ants of an iteration are observed together. `known`: as MakeStrategy. Deterministic.
// Errors: those of MakeStrategy.
absl::StatusOr<SpaceReplay> ReplaySpace(const v1::SearchOptions& options, RecordedSpace* space,
                                        const std::vector<v1::KnownResults>& known = {});

// What candidates of a recorded file say of the same computation elsewhere. Decisions for which they have no
// choice are left out, as RecordedSpace does.
v1::KnownResults KnownOf(const std::string& source, const std::vector<RecordedCandidate>& candidates);

// Of several replays: the space's best time over the best found after `evaluations`; 0 where none was correct
// yet. Precondition: not empty.
struct ReplaySummary {
  int evaluations = 0;
  double median = 0;
  double mean = 0;
  double worst = 0;
};
ReplaySummary Summarise(const std::vector<SpaceReplay>& replays, double best_seconds, int evaluations);

}  // namespace tune
