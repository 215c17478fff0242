#include "worker/check/launch_grid.h"

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/spaces.h"
#include "common/isl/tuple_name.h"

namespace tune {

LaunchGrid::LaunchGrid(const MappedKernel& kernel, const isl::set& values)
    : kernel_(kernel),
      values_(values),
      host_depth_(kernel.kernel->host_depth),
      axes_(static_cast<int>(kernel.first_block.size())),
      space_(SetSpace(values.ctx(), 0, host_depth_ + 2 * axes_)) {}

isl::multi_aff LaunchGrid::ToLaunch() const {
  const isl::multi_aff launch = ProjectOutMap(space_, isl_dim_set, host_depth_, 2 * axes_);
  return launch.set_range_tuple(TupleName(kernel_.launches));
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
  for (int i = 0; i < Dimensions(values_, isl_dim_param); ++i)
    set = set.project_out_param(DimensionId(values_, isl_dim_param, i));
  return set;
}

isl::pw_aff LaunchGrid::InLaunch(const isl::pw_aff& function) const {
  const isl::map map = function.as_map().intersect_params(values_);
  return map.project_out_all_params().as_pw_multi_aff().at(0).pullback(ToLaunch());
}

isl::pw_aff LaunchGrid::Coordinate(int position) const { return isl::pw_aff(VariableOn(space_, position)); }

isl::pw_aff LaunchGrid::Constant(int64_t value) const {
  const isl::set everywhere = isl::set::universe(space_);
  const isl::val constant = isl::val(space_.ctx(), value);
  return ConstantOn(everywhere, constant);
}

}  // namespace tune
