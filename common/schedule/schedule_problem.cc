#include "common/schedule/schedule_problem.h"

#include "common/schedule/symbolic_sizes.h"

namespace tune {
namespace {

// isl's scheduler options belong to the context: sets them, and puts the old values back at the end.
class ScopedSchedulerOptions {
 public:
  ScopedSchedulerOptions(isl_ctx* ctx, const ScheduleOptions& options, bool fuse_components)
      : ctx_(ctx),
        algorithm_(isl_options_get_schedule_algorithm(ctx)),
        serialize_sccs_(isl_options_get_schedule_serialize_sccs(ctx)),
        maximize_band_depth_(isl_options_get_schedule_maximize_band_depth(ctx)),
        outer_coincidence_(isl_options_get_schedule_outer_coincidence(ctx)),
        maximize_coincidence_(isl_options_get_schedule_maximize_coincidence(ctx)),
        whole_component_(isl_options_get_schedule_whole_component(ctx)) {
    isl_options_set_schedule_algorithm(ctx, options.algorithm == ScheduleOptions::Algorithm::kFeautrier
                                                ? ISL_SCHEDULE_ALGORITHM_FEAUTRIER
                                                : ISL_SCHEDULE_ALGORITHM_ISL);
    isl_options_set_schedule_serialize_sccs(ctx, options.serialize_sccs);
    isl_options_set_schedule_maximize_band_depth(ctx, options.maximize_band_depth);
    isl_options_set_schedule_outer_coincidence(ctx, 1);
    isl_options_set_schedule_maximize_coincidence(ctx, 1);
    isl_options_set_schedule_whole_component(ctx, fuse_components ? 1 : 0);
  }

  ~ScopedSchedulerOptions() {
    isl_options_set_schedule_algorithm(ctx_, algorithm_);
    isl_options_set_schedule_serialize_sccs(ctx_, serialize_sccs_);
    isl_options_set_schedule_maximize_band_depth(ctx_, maximize_band_depth_);
    isl_options_set_schedule_outer_coincidence(ctx_, outer_coincidence_);
    isl_options_set_schedule_maximize_coincidence(ctx_, maximize_coincidence_);
    isl_options_set_schedule_whole_component(ctx_, whole_component_);
  }
  ScopedSchedulerOptions(const ScopedSchedulerOptions&) = delete;
  ScopedSchedulerOptions& operator=(const ScopedSchedulerOptions&) = delete;

 private:
  isl_ctx* ctx_;
  int algorithm_, serialize_sccs_, maximize_band_depth_, outer_coincidence_, maximize_coincidence_,
      whole_component_;
};

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

bool AtLimit(IslContext& context) {
  const isl_error error = isl_ctx_last_error(context.get());
  return error == isl_error_abort || error == isl_error_quota;
}

}  // namespace

isl::schedule SolveSchedule(IslContext& context, const ScheduleProblem& problem) {
  const ScopedSchedulerOptions scoped(context.get(), problem.options, problem.fuse_components);
  const SymbolicSizes sizes(problem.domain, problem.validity);
  try {
    return Solve(problem, sizes);
  } catch (const isl::exception&) {
    if (sizes.IsEmpty() || AtLimit(context)) throw;
  }
  // That 39 - i is above i below 20 is known only of the numbers themselves.
  isl_ctx_reset_error(context.get());
  return Solve(problem, SymbolicSizes(context.ctx()));
}

}  // namespace tune
