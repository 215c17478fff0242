#include "common/transform/kill_order.h"

#include "common/isl/schedule.h"

namespace tune {

isl::schedule WithKills(isl::schedule schedule, const ParsedScop& scop) {
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind != v1::Statement::ASSIGN)
      schedule = ScheduleSequence(schedule, isl::schedule::from_domain(isl::union_set(statement.domain)));
  }
  return schedule;
}

}  // namespace tune
