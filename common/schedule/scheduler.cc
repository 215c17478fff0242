#include "common/schedule/scheduler.h"

#include "common/dependence/update_order.h"
#include "common/schedule/coincidence.h"
#include "common/schedule/schedule_problem.h"

namespace tune {

isl::union_set AssignedInstances(IslContext& context, const ParsedScop& scop) {
  isl::union_set domain = isl::union_set::empty(context.ctx());
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::ASSIGN) domain = domain.unite(statement.domain);
  }
  return domain;
}

absl::StatusOr<isl::schedule> ComputeSchedule(IslContext& context, const ParsedScop& scop,
                                              const Dependences& dependences,
                                              const ScheduleOptions& options) {
  return context.Run("computing a schedule", [&]() -> absl::StatusOr<isl::schedule> {
    // Proximity is flow alone: bringing anti-dependences on a reused scalar closer costs absurd skews.
    ScheduleProblem problem{scop.context, AssignedInstances(context, scop), dependences.validity(),
                            dependences.flow, options};
    if (!options.parallel_reductions) return SolveSchedule(context, problem);
    problem.uncounted = CommutingUpdates(context, scop);
    return WithCoincidenceOf(problem.validity, SolveSchedule(context, problem));
  });
}

}  // namespace tune
