#include "common/transform/unroll/host_unroll.h"

#include "common/decision/offer.h"
#include "common/transform/innermost_loops.h"
#include "common/transform/packed_product/packed_product.h"
#include "common/transform/unroll/unroll.h"

namespace tune {
namespace {

class HostUnrollTransformation : public OpenMpTransformation {
  const char* name() const override { return "unroll"; }

  static NumberOffer Factors(const HostKernelSite& site, int64_t trip_count) {
    NumberOffer offer{site.Key("unroll"), {}, {}};
    for (const int64_t factor : {1, 2, 4, 8}) offer.Add(factor, trip_count < 0 || trip_count >= factor);
    return offer;
  }

  absl::Status Decide(const HostKernelSite& site, Chooser& chooser, HostKernelPlan* plan) const override {
    const InnermostLoops loops = InnermostLoopsOf(site.kernel);
    if (!loops.any || plan->Get<PackedProduct>().blocks) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int64_t factor, Ask(chooser, Factors(site, loops.trip_count), 1));
    plan->Set(UnrollFactor{factor});
    return absl::OkStatus();
  }

  void ApplyToBand(const HostKernelPlan& plan, size_t, BandRequest* request) const override {
    request->unroll = plan.Get<UnrollFactor>().factor;
  }
};

}  // namespace

const OpenMpTransformation& HostUnroll() {
  static const HostUnrollTransformation transformation;
  return transformation;
}

}  // namespace tune
