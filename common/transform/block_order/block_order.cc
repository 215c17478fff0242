#include "common/transform/block_order/block_order.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/transform/block_order/block_coordinates.h"
#include "common/transform/launches/launches.h"

namespace tune {
namespace {

// A launch that touches more than this share of the device's cache leaves little there of what it touched
// first: on an H200 more than 45 MiB of 60.
constexpr double kCachedShare = 0.75;

class BlockOrderTransformation : public CudaTransformation {
  const char* name() const override { return "block_order"; }

  static bool SweepsOverMuch(const Kernel& kernel, const DeviceFacts& device) {
    if (kernel.host_depth == 0 || kernel.bands.empty() || device.l2_bytes == 0) return false;
    double bytes = static_cast<double>(kernel.bytes_of_iteration);
    for (const int64_t trip_count : kernel.bands[0].trip_counts)
      bytes *= trip_count < 0 ? INT32_MAX : static_cast<double>(trip_count);
    return bytes > kCachedShare * static_cast<double>(device.l2_bytes);
  }

  // `second`: of an even number of kernels below host loops it is every other one. Of an odd number each
  // changes its direction from one iteration to the next.
  static BlockOrder Default(bool even, bool second) {
    if (even) return second ? BlockOrder::kBackward : BlockOrder::kForward;
    return second ? BlockOrder::kAlternatingBackward : BlockOrder::kAlternating;
  }

  absl::Status DecideTogether(const ProgramSite& site, Chooser& chooser, std::vector<KernelPlan>* plans,
                              Decisions*) const override {
    if (site.together.Get<LaunchForm>().IsOne()) return absl::OkStatus();
    const auto repeated = std::count_if(site.kernels.begin(), site.kernels.end(),
                                        [](const Kernel& kernel) { return kernel.host_depth > 0; });
    int place = 0;  // among those below host loops
    for (size_t i = 0; i < site.kernels.size(); ++i) {
      const Kernel& kernel = site.kernels[i];
      if (kernel.host_depth == 0) continue;
      const bool second = place++ % 2 == 1;
      if (!SweepsOverMuch(kernel, site.device)) continue;
      const Offer offer{kernel.name + ".block_order",
                        {"forward", "backward", "alternating", "alternating_backward"},
                        {},
                        /*unrecorded=*/0};  // of caches of which another share was too much
      const BlockOrder standard = Default(repeated % 2 == 0, second);
      TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, offer, static_cast<int>(standard)));
      (*plans)[i].Set(SweepOrder{static_cast<BlockOrder>(chosen)});
    }
    return absl::OkStatus();
  }

  void ApplyAfterBarriers(const KernelPass& pass, DeviceKernel* kernel) const override {
    DefineCoordinates(pass.plan.Get<SweepOrder>().order, pass.names, kernel);
  }
};

}  // namespace

const CudaTransformation& OrderOfBlocks() {
  static const BlockOrderTransformation transformation;
  return transformation;
}

}  // namespace tune
