#include "common/transform/tensor_cores/tensor_cores.h"

#include "common/decision/offer.h"
#include "common/program/warp_product.h"
#include "common/transform/registers/registers.h"
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

class TensorCoresTransformation : public CudaTransformation {
  const char* name() const override { return "tensor_cores"; }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!CanMakeWarps(site) || !plan->Get<SharedTiles>().on || !plan->Get<RegisterTiles>().on)
      return absl::OkStatus();
    const Offer offer{site.Key("tensor_cores"), {"off", "tf32x3"}, {}};
    TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, offer, /*standard=*/1));
    plan->Set(TensorCoreProducts{chosen == 1});
    return absl::OkStatus();
  }
};

class WarpProductsTransformation : public CudaTransformation {
  const char* name() const override { return "tensor_cores"; }

  // The loops inside are over points no longer: they stay as they are.
  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (!pass.plan.Get<TensorCoreProducts>().on) return;
    ForEachUniformLoop(pass.names, kernel, [&](Loop* loop) {
      if (!FindWarpProduct(*loop, *kernel, pass.arrays, pass.scop, pass.names)) return;
      loop->warp_product = true;
      for (Loop* inside = loop->body[0].As<Loop>(); inside != nullptr; inside = inside->body[0].As<Loop>()) {
        inside->points = 0;
        inside->unroll = Loop::kWhole;
      }
    });
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    if (pass.plan.Get<TensorCoreProducts>().on || !HasWarpProducts(kernel)) return absl::OkStatus();
    return absl::FailedPreconditionError("a loop is computed by matrix instructions");
  }
};

}  // namespace

bool CanMakeWarps(const KernelSite& site) {
  return site.tf32x3 && site.device.MultipliesTf32() && CanArrange(site.threads()) && site.CanKeepTiles() &&
         site.kernel.constant_bytes == kFloatBytes && site.kernel.constant_references >= 2 &&
         site.LongestSerialMember() >= kWarpSum;
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
