#include "common/transform/launch_bounds/launch_bounds.h"

#include "common/decision/offer.h"
#include "common/transform/unroll/unroll.h"

namespace tune {
namespace {

constexpr int64_t kMuchToKeep = 8;  // points in all copies of a loop's body

class LaunchBoundsTransformation : public CudaTransformation {
  const char* name() const override { return "launch_bounds"; }

  static NumberOffer Options(const KernelSite& site) {
    NumberOffer offer{site.Key("min_blocks"), {}, {}};
    for (const int64_t blocks : {0, 1, 2, 3, 4, 8})
      offer.Add(blocks, blocks <= site.device.max_blocks_per_multiprocessor &&
                            blocks * site.threads().Threads() <= site.device.max_threads_per_multiprocessor);
    return offer;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    const ThreadMapping& threads = site.threads();
    if (threads.IsOneThread() || threads.Points() * plan->Get<UnrollFactor>().factor < kMuchToKeep)
      return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int64_t blocks, Ask(chooser, Options(site), 0));
    plan->Set(LaunchBound{blocks});
    return absl::OkStatus();
  }

  void SetParameters(const KernelPass& pass, DeviceKernel* kernel) const override {
    kernel->min_blocks = pass.plan.Get<LaunchBound>().min_blocks;
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    if (kernel.min_blocks == pass.plan.Get<LaunchBound>().min_blocks) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat("its bound is ", kernel.min_blocks, " blocks"));
  }
};

}  // namespace

const CudaTransformation& LaunchBounds() {
  static const LaunchBoundsTransformation transformation;
  return transformation;
}

}  // namespace tune
