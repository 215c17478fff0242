#include "common/transform/shared_memory/shared_memory.h"

#include "common/decision/offer.h"
#include "common/transform/buffers/buffers.h"
#include "common/transform/shared_memory/given_shared_memory.h"

namespace tune {
namespace {

enum Shared { kOff, kOn, kOptIn };

class SharedMemoryTransformation : public CudaTransformation {
  const char* name() const override { return "shared_memory"; }

  static Offer Options(const KernelSite& site) {
    return {site.Key("shared"), {"off", "on", "opt_in"}, {true, true, site.device.HasOptIn()}};
  }

  // Without a loop there is only what neighbours share, and the caches serve that; with one axis the elements
  // of a tile are used too seldom to pay for its filling, unless others fill it.
  static Shared Default(const KernelSite& site) {
    const bool again = site.LongestSerialMember() > 0 && site.threads().axes.size() > 1;
    return again || site.WaitsForTerms() ? kOn : kOff;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!site.CanKeepTiles() || site.kernel.read_only_arrays.empty()) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int shared, Ask(chooser, Options(site), Default(site)));
    plan->Set(SharedTiles{shared != kOff, shared == kOptIn});
    return absl::OkStatus();
  }

  void ApplyAfterBarriers(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (pass.plan.Get<SharedTiles>().opt_in) LayOutGivenMemory(kernel);
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    if (kernel.given_shared_bytes == 0 || pass.plan.Get<SharedTiles>().opt_in) return absl::OkStatus();
    return absl::FailedPreconditionError("the launch gives shared memory that was not asked for");
  }
};

}  // namespace

const CudaTransformation& SharedMemory() {
  static const SharedMemoryTransformation transformation;
  return transformation;
}

int64_t MostTileBytes(const KernelPlan& plan, const DeviceFacts& device) {
  const int64_t bytes =
      plan.Get<SharedTiles>().opt_in ? device.shared_bytes_per_block_optin : device.shared_bytes_per_block;
  return bytes / plan.Get<TileBuffers>().copies;
}

}  // namespace tune
