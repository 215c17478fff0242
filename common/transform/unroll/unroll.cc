#include "common/transform/unroll/unroll.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/mapping/cuda_limits.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "common/transform/unroll/unroll_bands.h"

namespace tune {
namespace {

constexpr int64_t kMostFactor = 64;
constexpr int64_t kFromFilledTile = 64;  // by default, where other threads fetch what a thread needs
constexpr int64_t kMostOfFetching = 16;  // and at most where it fetches that itself

class UnrollTransformation : public CudaTransformation {
  const char* name() const override { return "unroll"; }

  // Of those that threads run themselves at the bottom of the kernel.
  static int64_t LongestInnermostLoop(const KernelSite& site) {
    int64_t longest = 0;
    for (size_t b = 0; b < site.kernel.bands.size(); ++b) {
      if (site.kernel.bands[b].innermost) longest = std::max(longest, site.LongestOfBand(b));
    }
    return longest;
  }

  static NumberOffer Options(const KernelSite& site, int64_t longest) {
    NumberOffer offer{site.Key("unroll"), {}, {}};
    const ThreadMapping& threads = site.threads();
    for (int64_t factor = 1; factor <= kMostFactor; factor *= 2)
      offer.Add(factor, longest >= factor && (factor == 1 || factor * threads.Points() <= kMostUnrolled) &&
                            (factor <= kMostOfFetching || threads.HasHelpers()));
    return offer;
  }

  // Enough loads in flight; all of a tile, so that its subscripts are constants and elements that lie side by
  // side are read at once.
  static int64_t Default(const KernelSite& site, int64_t longest) {
    const ThreadMapping& threads = site.threads();
    const int64_t whole_tile = site.kernel.statements.size() > 2 ? 8 : 16;  // much code takes long to compile
    const int64_t from_shared = threads.HasHelpers() ? kFromFilledTile : whole_tile;
    const bool sums = threads.HasReduction() || (site.kernel.reduction && site.kernel.tile_loops.count > 0);
    const int64_t wanted = sums ? 4 : site.plan.Get<SharedTiles>().on ? from_shared : 1;
    return longest >= wanted && wanted * threads.Points() <= kMostUnrolled ? wanted : 1;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    const int64_t longest = LongestInnermostLoop(site);
    if (longest == 0) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int64_t factor, Ask(chooser, Options(site, longest), Default(site, longest)));
    plan->Set(UnrollFactor{factor});
    return absl::OkStatus();
  }

  void ApplyToLoops(const BlockOfKernel& block, ThreadNest* nest) const override {
    if (!nest->serial.empty()) nest->serial.back().unroll = block.plan->Get<UnrollFactor>().factor;
  }

  isl::schedule_node ApplyToBands(const BlockOfKernel& block, const isl::schedule_node& node,
                                  bool is_root) const override {
    return MarkInnermostLoops(node, block.plan->Get<UnrollFactor>().factor, is_root);
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    int64_t most = 1;
    ForEachNode(kernel.body, [&](const Node& node) {
      if (const auto* loop = node.As<Loop>()) most = std::max(most, loop->unroll);
    });
    if (most <= pass.plan.Get<UnrollFactor>().factor) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat("a loop is unrolled by ", most));
  }
};

}  // namespace

const CudaTransformation& Unroll() {
  static const UnrollTransformation transformation;
  return transformation;
}

}  // namespace tune
