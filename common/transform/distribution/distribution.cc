#include "common/transform/distribution/distribution.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/program/half_terms.h"
#include "common/program/neighbour_access.h"
#include "common/transform/tensor_cores/tensor_cores.h"

namespace tune {
namespace {

enum Distributed { kCyclic, kBlocked, kBlockedX, kPieces };

class DistributionTransformation : public CudaTransformation {
  const char* name() const override { return "distribution"; }

  static bool XHasPoints(const KernelSite& site) { return site.threads().axes.back().HasPoints(); }
  static bool OthersHavePoints(const KernelSite& site) {
    const std::vector<CudaAxis>& axes = site.threads().axes;
    return std::any_of(axes.begin(), axes.end() - 1, [](const CudaAxis& axis) { return axis.HasPoints(); });
  }

  static Offer Options(const KernelSite& site) {
    return {site.Key("distribution"),
            {"cyclic", "blocked", "blocked_x", "pieces"},
            {true, OthersHavePoints(site), XHasPoints(site), PieceOf(site) > 1}};
  }

  // Consecutive points along x that a thread reads at once, or has of a matrix instruction.
  static int64_t PieceOf(const KernelSite& site) {
    if (MatrixProductsOf(site) == TensorCoreProducts::Of::kHalves) return kHalfPiece;
    const int64_t bytes = site.kernel.constant_bytes;
    if (bytes == 0) return 1;
    return std::min(std::max<int64_t>(kMostBytesOfLoad / bytes, 1), site.threads().axes.back().Points());
  }

  // Consecutive rows share what a stencil reads; a product reads shared memory most, several elements at once
  // where it can, and has those of two arrays in registers.
  static Distributed Default(const KernelSite& site) {
    if (site.LongestSerialMember() == 0) return OthersHavePoints(site) ? kBlocked : kCyclic;
    if (!XHasPoints(site)) return kCyclic;
    if (PieceOf(site) > 1) return kPieces;
    return site.kernel.constant_references <= 2 ? kBlockedX : kCyclic;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    std::vector<CudaAxis>& axes = plan->threads.axes;
    if (axes.empty() || (!XHasPoints(site) && !OthersHavePoints(site))) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, Options(site), Default(site)));
    for (CudaAxis& axis : axes) {
      const bool x = &axis == &axes.back();
      if (chosen == kBlockedX || (chosen == kBlocked && !x)) axis.piece = axis.Points();
    }
    if (chosen == kPieces) axes.back().piece = PieceOf(site);
    return absl::OkStatus();
  }
};

}  // namespace

const CudaTransformation& Distribution() {
  static const DistributionTransformation transformation;
  return transformation;
}

}  // namespace tune
