// Where the time of a study's evaluations goes.
#pragma once

#include <string>
#include <vector>

#include "client/report/json.h"
#include "tune/v1/study.pb.h"

namespace tune {

// What the evaluations of one study spent in one stage.
struct StageShare {
  std::string stage;
  int64_t evaluations = 0;  // that went through it
  double seconds = 0;       // of all of them
};

struct Timing {
  int64_t evaluations = 0;         // of the search, duplicates included
  double wall_seconds = 0;         // from the first candidate's making to the last one's evaluation
  double stage_seconds = 0;        // of all stages
  std::vector<StageShare> stages;  // in the order in which evaluations go through them

  double EvaluationsPerSecond() const { return wall_seconds > 0 ? evaluations / wall_seconds : 0; }
};

// Of the search's candidates that a worker evaluated; replays are left out.
Timing TimingOf(const std::vector<v1::Candidate>& candidates);

// A line with evaluations per second, then a row a stage: evaluations, sum, mean, share of all stages' time,
// and its sum in relation to the wall time, which is more than 100% where several run at once.
std::string TimingTable(const Timing& timing);

// {"evaluations", "wall_seconds", "evaluations_per_second", "stages": [{"stage", "evaluations", "seconds",
// "mean_seconds", "share", "of_wall_time"}, ...]}
Json ToJson(const Timing& timing);

}  // namespace tune
