#include "worker/check/launch_grid.h"

namespace tune {

LaunchGrid::LaunchGrid(const MappedKernel& kernel, const isl::set& values)
    : kernel_(kernel),
      values_(values),
      host_depth_(kernel.kernel->host_depth),
      axes_(static_cast<int>(kernel.first_block.size())),
      space_(isl::manage(isl_space_set_alloc(values.ctx().get(), 0, host_depth_ + 2 * axes_))) {}

isl::multi_aff LaunchGrid::ToLaunch() const {
  isl_multi_aff* const launch =
      isl_multi_aff_project_out_map(space_.copy(), isl_dim_set, host_depth_, 2 * axes_);
  return isl::manage(
      isl_multi_aff_set_tuple_name(launch, isl_dim_out, isl_set_get_tuple_name(kernel_.launches.get())));
}

isl::set LaunchGrid::Outside() const {
  isl::set outside = isl::set::empty(space_);
  for (int axis = 0; axis < axes_; ++axis) {
    const isl::pw_aff block = Coordinate(host_depth_ + axis);
    const isl::pw_aff thread = Coordinate(host_depth_ + axes_ + axis);
    outside = outside.unite(block.lt_set(InLaunch(kernel_.first_block[axis])))
                  .unite(block.gt_set(InLaunch(kernel_.last_block[axis])))
                  .unite(thread.lt_set(Constant(0)))
                  .unite(thread.ge_set(Constant(kernel_.threads[axis])));
  }
  return outside;
}

isl::set LaunchGrid::Inside() const {
  isl::set inside = Launches().preimage(ToLaunch());
  for (int axis = 0; axis < axes_; ++axis) {
    const isl::pw_aff block = Coordinate(host_depth_ + axis);
    const isl::pw_aff thread = Coordinate(host_depth_ + axes_ + axis);
    inside = inside.intersect(block.ge_set(InLaunch(kernel_.first_block[axis])))
                 .intersect(block.le_set(InLaunch(kernel_.last_block[axis])))
                 .coalesce()
                 .intersect(thread.ge_set(Constant(0)))
                 .intersect(thread.lt_set(Constant(kernel_.threads[axis])));
  }
  return inside;
}

isl::set LaunchGrid::Known(isl::set set) const {
  set = set.intersect_params(values_);
  for (int i = 0; i < isl_set_dim(values_.get(), isl_dim_param); ++i)
    set = set.project_out_param(isl::manage(isl_set_get_dim_id(values_.get(), isl_dim_param, i)));
  return set;
}

isl::pw_aff LaunchGrid::InLaunch(const isl::pw_aff& function) const {
  const isl::map map = function.as_map().intersect_params(values_);
  return map.project_out_all_params().as_pw_multi_aff().at(0).pullback(ToLaunch());
}

isl::pw_aff LaunchGrid::Coordinate(int position) const {
  isl_local_space* const space = isl_local_space_from_space(space_.copy());
  return isl::pw_aff(isl::manage(isl_aff_var_on_domain(space, isl_dim_set, position)));
}

isl::pw_aff LaunchGrid::Constant(int64_t value) const {
  const isl::set everywhere = isl::set::universe(space_);
  isl_val* const constant = isl_val_int_from_si(space_.ctx().get(), static_cast<long>(value));
  return isl::manage(isl_pw_aff_val_on_domain(everywhere.copy(), constant));
}

}  // namespace tune
