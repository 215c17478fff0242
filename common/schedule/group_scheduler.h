// Schedules of single statement groups.
#pragma once

#include "common/schedule/statement_group.h"

namespace tune {

enum class GroupFusion {
  kByScheduler,  // where isl's scheduler fuses by itself, as ComputeSchedule with default options
  kForced,       // all statements share their outermost loops, or there is no schedule
};

// What follows the loops that the group has: a tree over its instances. The rows above are unknown constants
// to isl's scheduler, so that it looks only for what they leave undecided; in its result they are functions
// of the instances again. kForced also brings statements together that do not depend on each other:
// iterations that read the same elements of the largest array that both read, else those with equal
// iterators. `refined`: with UnskewMembers and OrderBandMembers. Errors: INTERNAL when isl finds none;
// FAILED_PRECONDITION when fusion is forced and illegal; RESOURCE_EXHAUSTED at a limit, which is a tenth of
// the context's when fusion is forced.
absl::StatusOr<isl::schedule> ScheduleStatementGroup(IslContext& context, const ParsedScop& scop,
                                                     const StatementGroup& group, GroupFusion fusion,
                                                     bool refined);

// At most two: the coincident members of the outermost band; 0 when the outermost node is none.
int ParallelMembers(const isl::schedule& schedule);

}  // namespace tune
