// Schedules as times of instances.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// { S -> T } of the schedule's instances. Throws isl::exception.
inline isl::union_map InstanceTimes(const isl::schedule& schedule) {
  return schedule.map().intersect_domain(schedule.domain());
}

// The instances of `domain`, { S }, in the order of their `times`, { S -> T }, as one band. Throws
// isl::exception.
inline isl::schedule ScheduleByTimes(const isl::union_set& domain, const isl::union_map& times) {
  const isl::schedule_node top = isl::schedule::from_domain(domain).root().child(0);
  return top.insert_partial_schedule(times.as_multi_union_pw_aff()).schedule();
}

}  // namespace tune
