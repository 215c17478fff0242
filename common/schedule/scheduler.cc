#include "common/schedule/scheduler.h"

#include "common/schedule/symbolic_sizes.h"

namespace tune {
namespace {

// isl's scheduler options belong to the context: sets them, and puts the old values back at the end.
class ScopedSchedulerOptions {
 public:
  ScopedSchedulerOptions(isl_ctx* ctx, const ScheduleOptions& options)
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
    isl_options_set_schedule_whole_component(ctx, 0);
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

isl::union_set AssignedInstances(IslContext& context, const ParsedScop& scop) {
  isl::union_set domain = isl::union_set::empty(context.ctx());
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::ASSIGN) domain = domain.unite(statement.domain);
  }
  return domain;
}

}  // namespace

absl::StatusOr<isl::schedule> ComputeSchedule(IslContext& context, const ParsedScop& scop,
                                              const Dependences& dependences,
                                              const ScheduleOptions& options) {
  return context.Run("computing a schedule", [&]() -> absl::StatusOr<isl::schedule> {
    const ScopedSchedulerOptions scoped(context.get(), options);
    const isl::union_set domain = AssignedInstances(context, scop);
    const SymbolicSizes sizes(domain, dependences.validity());
    const isl::union_map validity = sizes.Generalise(dependences.validity());
    // Proximity is flow alone: bringing anti-dependences on a reused scalar closer costs absurd skews.
    const isl::schedule_constraints constraints =
        isl::schedule_constraints::on_domain(sizes.Generalise(domain))
            .set_context(scop.context.intersect(sizes.context()))
            .set_validity(validity)
            .set_coincidence(validity)
            .set_proximity(sizes.Generalise(dependences.flow));
    return sizes.Instantiate(constraints.compute_schedule(), domain);
  });
}

}  // namespace tune
