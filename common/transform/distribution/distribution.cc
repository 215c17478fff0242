#include "common/transform/distribution/distribution.h"

#include <algorithm>

#include "common/decision/offer.h"

namespace tune {
namespace {

enum Distributed { kCyclic, kBlocked, kBlockedX };

class DistributionTransformation : public CudaTransformation {
  const char* name() const override { return "distribution"; }

  static bool XHasPoints(const KernelSite& site) { return site.threads().axes.back().HasPoints(); }
  static bool OthersHavePoints(const KernelSite& site) {
    const std::vector<CudaAxis>& axes = site.threads().axes;
    return std::any_of(axes.begin(), axes.end() - 1, [](const CudaAxis& axis) { return axis.HasPoints(); });
  }

  static Offer Options(const KernelSite& site) {
    return {site.Key("distribution"),
            {"cyclic", "blocked", "blocked_x"},
            {true, OthersHavePoints(site), XHasPoints(site)}};
  }

  // Consecutive rows share what a stencil reads; a product of two arrays has them in registers, and reads
  // shared memory most.
  static Distributed Default(const KernelSite& site) {
    const bool stencil = site.LongestSerialMember() == 0;
    const bool product = !stencil && XHasPoints(site) && site.kernel.read_only_references <= 2;
    return product ? kBlockedX : stencil && OthersHavePoints(site) ? kBlocked : kCyclic;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    std::vector<CudaAxis>& axes = plan->threads.axes;
    if (axes.empty() || (!XHasPoints(site) && !OthersHavePoints(site))) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, Options(site), Default(site)));
    for (CudaAxis& axis : axes)
      axis.blocked =
          axis.HasPoints() && (chosen == kBlockedX || (chosen == kBlocked && &axis != &axes.back()));
    return absl::OkStatus();
  }
};

}  // namespace

const CudaTransformation& Distribution() {
  static const DistributionTransformation transformation;
  return transformation;
}

}  // namespace tune
