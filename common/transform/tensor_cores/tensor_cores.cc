#include "common/transform/tensor_cores/tensor_cores.h"

#include "common/decision/offer.h"
#include "common/program/half_terms.h"
#include "common/program/warp_product.h"
#include "common/transform/registers/registers.h"
#include "common/transform/serial_tiles/serial_tiles.h"
#include "common/transform/shared_memory/shared_memory.h"

namespace tune {
namespace {

constexpr int64_t kFloatBytes = 4;

bool HasPairs(const CudaAxis& axis) { return axis.Points() % 2 == 0; }

// As warp_product.h says.
bool CanArrange(const ThreadMapping& threads) {
  return threads.axes.size() >= 2 && !threads.HasReduction() && !threads.HasHelpers() &&
         threads.Axis(0).block % kWarpColumns == 0 && threads.Axis(1).block % kWarpRows == 0 &&
         HasPairs(threads.Axis(0)) && HasPairs(threads.Axis(1));
}

using Of = TensorCoreProducts::Of;

// Threads have columns that are neighbours, 16 bytes of a row of a tile are of 8 threads along y, or of 4
// along x, and tiles have whole steps (half_terms.h).
bool CanLoadHalves(const KernelPlan& plan) {
  const CudaAxis &x = plan.threads.Axis(0), &y = plan.threads.Axis(1);
  return x.piece == kHalfPiece && y.piece == 1 && x.Points() % (2 * kHalfPiece) == 0 &&
         plan.Get<SerialTileSize>().iterations >= kHalfSum;
}

class TensorCoresTransformation : public CudaTransformation {
  const char* name() const override { return "tensor_cores"; }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    const Of of = MatrixProductsOf(site);
    if (of == Of::kNone || !plan->Get<SharedTiles>().on || !plan->Get<RegisterTiles>().on)
      return absl::OkStatus();
    if (of == Of::kHalves && !CanLoadHalves(*plan)) return absl::OkStatus();
    const Offer offer{
        site.Key("tensor_cores"), {"off", of == Of::kHalves ? "f16" : "tf32x3"}, {}, /*unrecorded=*/0};
    TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, offer, /*standard=*/1));
    plan->Set(TensorCoreProducts{chosen == 1 ? of : Of::kNone});
    return absl::OkStatus();
  }
};

class WarpProductsTransformation : public CudaTransformation {
  const char* name() const override { return "tensor_cores"; }

  // The loops inside are over points no longer: they stay as they are.
  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    const Of of = pass.plan.Get<TensorCoreProducts>().of;
    if (of == Of::kNone) return;
    ForEachUniformLoop(pass.names, kernel, [&](Loop* loop) {
      const std::optional<WarpProduct> product =
          FindWarpProduct(*loop, *kernel, pass.arrays, pass.scop, pass.names);
      if (!product || product->halves.empty() != (of == Of::kFloats)) return;
      loop->warp_product = true;
      for (Loop* inside = loop->body[0].As<Loop>(); inside != nullptr; inside = inside->body[0].As<Loop>()) {
        inside->points = 0;
        inside->unroll = Loop::kWhole;
      }
    });
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    if (pass.plan.Get<TensorCoreProducts>().on() || !HasWarpProducts(kernel)) return absl::OkStatus();
    return absl::FailedPreconditionError("a loop is computed by matrix instructions");
  }
};

}  // namespace

TensorCoreProducts::Of MatrixProductsOf(const KernelSite& site) {
  const bool floats = site.products.tf32x3 && site.device.MultipliesTf32() &&
                      site.kernel.constant_bytes == kFloatBytes && site.LongestSerialMember() >= kWarpSum;
  const bool halves = site.MultipliesHalves() && site.LongestSerialMember() >= kHalfSum;
  if (!(floats || halves) || !CanArrange(site.threads()) || !site.CanKeepTiles() ||
      site.kernel.constant_references < 2)
    return Of::kNone;
  return halves ? Of::kHalves : Of::kFloats;
}

const CudaTransformation& TensorCores() {
  static const TensorCoresTransformation transformation;
  return transformation;
}

const CudaTransformation& WarpProducts() {
  static const WarpProductsTransformation transformation;
  return transformation;
}

}  // namespace tune
