// One call of isl's scheduler.
#pragma once

#include "common/schedule/scheduler.h"

namespace tune {

struct ScheduleProblem {
  isl::set context;          // over the parameters
  isl::union_set domain;     // { S }
  isl::union_map validity;   // { S -> S }: must go forward; what is coincident, too, is decided by these
  isl::union_map proximity;  // { S -> S }: should be close
  ScheduleOptions options;
  isl::union_map uncounted = {};  // { S -> S }: for what is coincident these do not count; null: none
  // The statements of a connected component share loops, if there is a valid schedule, whatever that costs;
  // else isl fuses where no band becomes less deep.
  bool fuse_components = false;
};

// isl's solution, with array sizes as unknowns (SymbolicSizes), or as the numbers that they are where it
// finds none so. isl's options are as before at the end. Throws isl::exception: call inside IslContext::Run.
isl::schedule SolveSchedule(IslContext& context, const ScheduleProblem& problem);

}  // namespace tune
