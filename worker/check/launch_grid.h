// The threads that a mapped kernel's launches have.
#pragma once

#include "worker/mapping/cuda_mapper.h"

namespace tune {

// Which values of the coordinates [h, b, t] (host loops, block, thread) threads have, at the known values of
// the scop's parameters. Must not outlive the kernel. Functions throw isl::exception.
class LaunchGrid {
 public:
  LaunchGrid(const MappedKernel& kernel, const isl::set& values);

  int host_depth() const { return host_depth_; }
  int axes() const { return axes_; }
  // { [h, b, t] -> K[h] }
  isl::multi_aff ToLaunch() const;
  // { K[h] }
  isl::set Launches() const { return Known(kernel_.launches); }
  // { [h, b, t] }: coordinates that no thread of the launch K[h] has.
  isl::set Outside() const;
  // { [h, b, t] }: those of all threads of all launches.
  isl::set Inside() const;
  // The set without the scop's parameters.
  isl::set Known(isl::set set) const;

 private:
  isl::pw_aff InLaunch(const isl::pw_aff& function) const;  // { K[h] -> [v] } to { [h, b, t] -> [v] }
  isl::pw_aff Coordinate(int position) const;
  isl::pw_aff Constant(int64_t value) const;

  const MappedKernel& kernel_;
  const isl::set values_;
  const int host_depth_, axes_;
  const isl::space space_;  // [h, b, t]
};

}  // namespace tune
