#include "common/transform/asynchronous_fills/asynchronous_fills.h"

#include "common/decision/offer.h"
#include "common/transform/shared_memory/shared_memory.h"

namespace tune {
namespace {

enum FillKind { kPlain, kAsynchronous };

// Bytes that one such copy can move.
bool IsCopied(int64_t bytes) { return bytes == 4 || bytes == 8 || bytes == 16; }

class AsynchronousFillsTransformation : public CudaTransformation {
  const char* name() const override { return "asynchronous_fills"; }

  static Offer Options(const KernelSite& site) {
    return {site.Key("fills"), {"plain", "asynchronous"}, {true, site.device.CopiesAsynchronously()}, kPlain};
  }

  static FillKind Default(const KernelSite& site) {
    return site.device.CopiesAsynchronously() && !site.threads().HasHelpers() ? kAsynchronous : kPlain;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!plan->Get<SharedTiles>().on || site.LongestSerialMember() == 0) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int kind, Ask(chooser, Options(site), Default(site)));
    plan->Set(FillCopies{kind == kAsynchronous});
    return absl::OkStatus();
  }

  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (!pass.plan.Get<FillCopies>().asynchronous) return;
    ForEachTileFill(*kernel, [&](TileFill& part, const Tile& tile) {
      part.asynchronous = IsCopied(BytesAtOnce(part, tile)) && LoadsPlainly(*kernel, pass.arrays, tile.array);
    });
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    bool any = false;
    ForEachTileFill(kernel, [&](const TileFill& part, const Tile&) { any = any || part.asynchronous; });
    if (!any || pass.plan.Get<FillCopies>().asynchronous) return absl::OkStatus();
    return absl::FailedPreconditionError("tiles are filled asynchronously, which was not asked for");
  }
};

}  // namespace

const CudaTransformation& AsynchronousFills() {
  static const AsynchronousFillsTransformation transformation;
  return transformation;
}

}  // namespace tune
