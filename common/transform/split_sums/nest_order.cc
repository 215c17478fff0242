#include "common/transform/split_sums/nest_order.h"

#include "common/isl/functions.h"
#include "common/isl/schedule.h"

namespace tune {

isl::schedule SequenceOf(const std::vector<isl::schedule>& parts) {
  isl::schedule all = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) all = ScheduleSequence(all, parts[i]);
  return all;
}

isl::schedule LoopsOver(const std::vector<TimedInstances>& statements, size_t first, isl::schedule inside) {
  for (size_t i = statements[0].times.size(); i-- > first;) {
    isl::union_pw_aff member = EmptyUnionPwAff(inside.ctx());
    for (const TimedInstances& timed : statements)
      member = member.union_add(isl::union_pw_aff(timed.times[i]));
    inside = InsertPartialSchedule(inside, isl::multi_union_pw_aff(member));
  }
  return inside;
}

isl::schedule LeafOf(const TimedInstances& statement) {
  return isl::schedule::from_domain(isl::union_set(statement.instances));
}

std::vector<isl::schedule> LeavesOf(const std::vector<TimedInstances>& statements) {
  std::vector<isl::schedule> leaves;
  for (const TimedInstances& statement : statements) leaves.push_back(LeafOf(statement));
  return leaves;
}

TimedInstances InLoops(const TimedInstances& statement, const std::vector<int>& loops) {
  TimedInstances inside = {statement.instances, {}};
  for (const int i : loops) inside.times.push_back(statement.times[static_cast<size_t>(i)]);
  return inside;
}

}  // namespace tune
