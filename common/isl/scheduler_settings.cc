#include "common/isl/scheduler_settings.h"

namespace tune {

ScopedSchedulerSettings::ScopedSchedulerSettings(isl::ctx ctx, const SchedulerSettings& settings)
    : ctx_(ctx.get()),
      algorithm_(isl_options_get_schedule_algorithm(ctx_)),
      serialize_sccs_(isl_options_get_schedule_serialize_sccs(ctx_)),
      maximize_band_depth_(isl_options_get_schedule_maximize_band_depth(ctx_)),
      outer_coincidence_(isl_options_get_schedule_outer_coincidence(ctx_)),
      maximize_coincidence_(isl_options_get_schedule_maximize_coincidence(ctx_)),
      whole_component_(isl_options_get_schedule_whole_component(ctx_)) {
  isl_options_set_schedule_algorithm(
      ctx_, settings.feautrier ? ISL_SCHEDULE_ALGORITHM_FEAUTRIER : ISL_SCHEDULE_ALGORITHM_ISL);
  isl_options_set_schedule_serialize_sccs(ctx_, settings.serialize_sccs);
  isl_options_set_schedule_maximize_band_depth(ctx_, settings.maximize_band_depth);
  isl_options_set_schedule_outer_coincidence(ctx_, settings.coincidence);
  isl_options_set_schedule_maximize_coincidence(ctx_, settings.coincidence);
  isl_options_set_schedule_whole_component(ctx_, settings.whole_component);
}

ScopedSchedulerSettings::~ScopedSchedulerSettings() {
  isl_options_set_schedule_algorithm(ctx_, algorithm_);
  isl_options_set_schedule_serialize_sccs(ctx_, serialize_sccs_);
  isl_options_set_schedule_maximize_band_depth(ctx_, maximize_band_depth_);
  isl_options_set_schedule_outer_coincidence(ctx_, outer_coincidence_);
  isl_options_set_schedule_maximize_coincidence(ctx_, maximize_coincidence_);
  isl_options_set_schedule_whole_component(ctx_, whole_component_);
}

}  // namespace tune
