#include "common/transform/simd/simd.h"

#include "common/decision/simple_choices.h"
#include "common/transform/innermost_loops.h"
#include "common/transform/packed_product/packed_product.h"

namespace tune {
namespace {

class SimdTransformation : public OpenMpTransformation {
  const char* name() const override { return "simd"; }

  absl::Status Decide(const HostKernelSite& site, Chooser& chooser, HostKernelPlan* plan) const override {
    if (!InnermostLoopsOf(site.kernel).coincident || plan->Get<PackedProduct>().blocks ||
        site.kernel.updates_of_data)
      return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const bool on, ChooseSwitch(chooser, site.Key("simd"), true));
    plan->Set(SimdLoops{on});
    return absl::OkStatus();
  }

  void ApplyToBand(const HostKernelPlan& plan, size_t, BandRequest* request) const override {
    request->simd = plan.Get<SimdLoops>().on;
  }
};

}  // namespace

const OpenMpTransformation& Simd() {
  static const SimdTransformation transformation;
  return transformation;
}

}  // namespace tune
