// Options of isl's scheduler: level O1 of the Coding Ants paper.
//
// Asks `schedule.algorithm`, `schedule.serialize_sccs`, `schedule.maximize_band_depth` (when not serialized)
// and `schedule.parallel_reductions` (then, where threads may share reductions and it makes another schedule;
// on by default where other statements share kernels, and no long sum loses its blocks).
#pragma once

#include <functional>

#include "common/decision/chooser.h"
#include "common/kernel/kernel.h"

namespace tune {

// The schedule of these options with its kernels.
using ScheduleOf =
    std::function<absl::StatusOr<std::shared_ptr<const ScheduledScop>>(const ScheduleOptions& options)>;

// `has_reductions_to_fuse`: threads may share reductions, and there is something else that could share their
// loops. Errors: the chooser's.
absl::StatusOr<ScheduleOptions> ChooseScheduleOptions(Chooser& chooser, bool has_reductions_to_fuse,
                                                      const ScheduleOf& schedule);

}  // namespace tune
