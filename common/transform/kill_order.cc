#include "common/transform/kill_order.h"

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/schedule.h"

namespace tune {
namespace {

// The instances one after the other.
isl::schedule InOrder(const isl::set& instances) {
  isl::schedule schedule = isl::schedule::from_domain(isl::union_set(instances));
  for (int i = Dimensions(instances, isl_dim_set); i-- > 0;) {
    const isl::pw_aff iterator(VariableOn(instances.space(), i));  // { S[x] -> [x_i] }
    schedule = InsertPartialSchedule(
        schedule, isl::multi_union_pw_aff(isl::union_pw_aff(iterator.intersect_domain(instances))));
  }
  return schedule;
}

}  // namespace

isl::schedule WithKills(isl::schedule schedule, const ParsedScop& scop) {
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind != v1::Statement::ASSIGN)
      schedule = ScheduleSequence(schedule, InOrder(statement.domain));
  }
  return schedule;
}

}  // namespace tune
