#include "common/space/cuda_order_walk.h"

#include "common/space/simple_choices.h"

namespace tune {
namespace {

// A launch that touches so many bytes for each multiprocessor touches more than the device's cache holds: on
// an H200, 45 MiB of 50.
constexpr double kCachedBytes = 350 << 10;

bool SweepsOverMuch(const Kernel& kernel, const CudaSpaceOptions& options) {
  if (kernel.host_depth == 0 || kernel.bands.empty()) return false;
  double bytes = static_cast<double>(kernel.bytes_of_iteration);
  for (const int64_t trip_count : kernel.bands[0].trip_counts)
    bytes *= trip_count < 0 ? INT32_MAX : static_cast<double>(trip_count);
  return bytes > kCachedBytes * options.multiprocessors;
}

}  // namespace

absl::Status ChooseBlockOrders(const CudaSpaceOptions& options, Chooser& chooser, CudaPlan& plan) {
  if (RunsInOneLaunch(plan.launches)) return absl::OkStatus();
  const std::vector<Kernel>& kernels = plan.scheduled->kernels;
  const auto repeated = std::count_if(kernels.begin(), kernels.end(),
                                      [](const Kernel& kernel) { return kernel.host_depth > 0; });
  int place = 0;  // among those below host loops
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].host_depth == 0) continue;
    const bool second = place++ % 2 == 1;
    if (!SweepsOverMuch(kernels[i], options)) continue;
    const int standard = (repeated % 2 == 0 ? 0 : 2) + (second ? 1 : 0);
    TUNE_ASSIGN_OR_RETURN(
        const int chosen,
        ChooseOption(chooser, kernels[i].name + ".block_order",
                     {"forward", "backward", "alternating", "alternating_backward"}, standard));
    plan.kernels[i].block_order = static_cast<BlockOrder>(chosen);
  }
  return absl::OkStatus();
}

}  // namespace tune
