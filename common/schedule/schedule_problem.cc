#include "common/schedule/schedule_problem.h"

#include "common/isl/scheduler_settings.h"
#include "common/schedule/symbolic_sizes.h"

namespace tune {
namespace {

isl::schedule Solve(const ScheduleProblem& problem, const SymbolicSizes& sizes) {
  const isl::union_map validity = sizes.Generalise(problem.validity);
  const isl::union_map coincidence =
      problem.uncounted.is_null() ? validity : sizes.Generalise(problem.validity.subtract(problem.uncounted));
  const isl::schedule_constraints constraints =
      isl::schedule_constraints::on_domain(sizes.Generalise(problem.domain))
          .set_context(problem.context.intersect(sizes.context()))
          .set_validity(validity)
          .set_coincidence(coincidence)
          .set_proximity(sizes.Generalise(problem.proximity));
  return sizes.Instantiate(constraints.compute_schedule(), problem.domain);
}

}  // namespace

isl::schedule SolveSchedule(IslContext& context, const ScheduleProblem& problem) {
  SchedulerSettings settings;
  settings.feautrier = problem.options.algorithm == ScheduleOptions::Algorithm::kFeautrier;
  settings.serialize_sccs = problem.options.serialize_sccs;
  settings.maximize_band_depth = problem.options.maximize_band_depth;
  settings.whole_component = problem.fuse_components;
  settings.coincidence = problem.options.parallel_loops;
  const ScopedSchedulerSettings scoped(context.ctx(), settings);
  const SymbolicSizes sizes(problem.domain, problem.validity);
  try {
    return Solve(problem, sizes);
  } catch (const isl::exception&) {
    if (sizes.IsEmpty() || context.at_limit()) throw;
  }
  // That 39 - i is above i below 20 is known only of the numbers themselves.
  context.ForgetError();
  return Solve(problem, SymbolicSizes(context.ctx()));
}

}  // namespace tune
