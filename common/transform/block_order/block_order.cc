#include "common/transform/block_order/block_order.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/transform/block_order/block_coordinates.h"
#include "common/transform/large_sweep.h"
#include "common/transform/launches/launches.h"

namespace tune {
namespace {

class BlockOrderTransformation : public CudaTransformation {
  const char* name() const override { return "block_order"; }

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
