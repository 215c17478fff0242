// Schedule trees as a whole, which isl's C++ interface leaves out. Every function throws isl::exception.
#pragma once

#include <functional>

#include "common/isl/isl.h"

namespace tune {

// The parts one after the other, and in any order.
inline isl::schedule ScheduleSequence(isl::schedule first, isl::schedule second) {
  return isl::manage(isl_schedule_sequence(first.release(), second.release()));
}
inline isl::schedule ScheduleSet(isl::schedule first, isl::schedule second) {
  return isl::manage(isl_schedule_set(first.release(), second.release()));
}

// A band above the whole.
inline isl::schedule InsertPartialSchedule(isl::schedule schedule, isl::multi_union_pw_aff partial) {
  return isl::manage(isl_schedule_insert_partial_schedule(schedule.release(), partial.release()));
}

inline isl::schedule IntersectDomain(isl::schedule schedule, isl::union_set domain) {
  return isl::manage(isl_schedule_intersect_domain(schedule.release(), domain.release()));
}

// The tree with each node replaced by what `change` makes of it, children before their parents.
isl::schedule ChangeNodes(const isl::schedule& schedule,
                          const std::function<isl::schedule_node(isl::schedule_node)>& change);

}  // namespace tune
