#include "common/transform/cache_division/cache_division.h"

#include "common/decision/offer.h"

namespace tune {
namespace {

constexpr int kCarveouts[] = {-1, 0, 50, 100};

class CacheDivisionTransformation : public CudaTransformation {
  const char* name() const override { return "cache_division"; }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!site.device.DividesMemory()) return absl::OkStatus();
    const Offer offer{site.Key("cache"), {"default", "l1", "half", "shared"}, {}};
    TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, offer, 0));
    plan->Set(Carveout{kCarveouts[chosen]});
    return absl::OkStatus();
  }

  void SetParameters(const KernelPass& pass, DeviceKernel* kernel) const override {
    kernel->carveout = pass.plan.Get<Carveout>().percent;
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    if (kernel.carveout == pass.plan.Get<Carveout>().percent) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat("its share is ", kernel.carveout, " percent"));
  }
};

}  // namespace

const CudaTransformation& CacheDivision() {
  static const CacheDivisionTransformation transformation;
  return transformation;
}

}  // namespace tune
