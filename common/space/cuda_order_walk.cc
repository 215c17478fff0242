#include "common/space/cuda_order_walk.h"

#include <algorithm>

namespace tune {
namespace {

// A launch that touches more than this share of the device's cache leaves little there of what it touched
// first: on an H200 more than 45 MiB of 60.
constexpr double kCachedShare = 0.75;

bool SweepsOverMuch(const Kernel& kernel, const DeviceFacts& device) {
  if (kernel.host_depth == 0 || kernel.bands.empty() || device.l2_bytes == 0) return false;
  double bytes = static_cast<double>(kernel.bytes_of_iteration);
  for (const int64_t trip_count : kernel.bands[0].trip_counts)
    bytes *= trip_count < 0 ? INT32_MAX : static_cast<double>(trip_count);
  return bytes > kCachedShare * static_cast<double>(device.l2_bytes);
}

}  // namespace

absl::Status ChooseBlockOrders(const DeviceFacts& device, Chooser& chooser, CudaPlan& plan) {
  if (RunsInOneLaunch(plan.launches)) return absl::OkStatus();
  const std::vector<Kernel>& kernels = plan.scheduled->kernels;
  const auto repeated = std::count_if(kernels.begin(), kernels.end(),
                                      [](const Kernel& kernel) { return kernel.host_depth > 0; });
  int place = 0;  // among those below host loops
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].host_depth == 0) continue;
    const bool second = place++ % 2 == 1;
    if (!SweepsOverMuch(kernels[i], device)) continue;
    DecisionPoint point;
    point.key = kernels[i].name + ".block_order";
    point.options = {"forward", "backward", "alternating", "alternating_backward"};
    point.allowed.assign(point.options.size(), true);
    point.default_option = (repeated % 2 == 0 ? 0 : 2) + (second ? 1 : 0);
    point.unrecorded_option = 0;  // of caches of which another share was too much
    TUNE_ASSIGN_OR_RETURN(const int chosen, chooser.Choose(point));
    plan.kernels[i].block_order = static_cast<BlockOrder>(chosen);
  }
  return absl::OkStatus();
}

}  // namespace tune
