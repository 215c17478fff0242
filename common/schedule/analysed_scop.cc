#include "common/schedule/analysed_scop.h"

namespace tune {

absl::StatusOr<isl::schedule> AnalysedScop::Schedule(const ScheduleOptions& options) {
  for (const auto& [known, schedule] : schedules_) {
    if (known == options) return schedule;
  }
  return schedules_.emplace_back(options, ComputeSchedule(context_, scop_, dependences_, options)).second;
}

}  // namespace tune
