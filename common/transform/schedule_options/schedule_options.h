// Options of isl's scheduler: level O1 of the Coding Ants paper.
//
// Asks `schedule.algorithm`, `schedule.serialize_sccs`, `schedule.maximize_band_depth` (when not serialized)
// and `schedule.parallel_reductions` (then, where threads may share reductions and it makes another schedule;
// on by default where other statements share kernels, and no long sum loses its blocks); then
// `schedule.join_consumers`, whether statements join the loops of what makes values that they alone read
// (joined_consumers.h), where some do; on by default.
#pragma once

#include <functional>

#include "common/decision/chooser.h"
#include "common/kernel/kernel.h"

namespace tune {

struct ScheduleChoice {
  ScheduleOptions options;      // of the scheduler
  bool join_consumers = false;  // in its schedule
};

// The chosen schedule with its kernels.
using ScheduleOf =
    std::function<absl::StatusOr<std::shared_ptr<const ScheduledScop>>(const ScheduleChoice& choice)>;

// `has_reductions_to_fuse`: threads may share reductions, and there is something else that could share their
// loops. Errors: the chooser's.
absl::StatusOr<ScheduleChoice> ChooseScheduleOptions(Chooser& chooser, bool has_reductions_to_fuse,
                                                     const ScheduleOf& schedule);

}  // namespace tune
