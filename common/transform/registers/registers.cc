#include "common/transform/registers/registers.h"

#include "common/decision/simple_choices.h"
#include "common/transform/shared_memory/shared_memory.h"

namespace tune {
namespace {

class RegistersTransformation : public CudaTransformation {
  const char* name() const override { return "registers"; }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    const bool alone = site.threads().axes.empty() && !plan->Get<SharedTiles>().on;
    if (!site.CanKeepTiles() || site.LongestSerialMember() == 0 || alone) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const bool on, ChooseSwitch(chooser, site.Key("registers"), true));
    plan->Set(RegisterTiles{on});
    return absl::OkStatus();
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    for (const Tile& tile : kernel.tiles) {
      if (!tile.shared && tile.combined_by == v1::NONE && !pass.plan.Get<RegisterTiles>().on)
        return absl::FailedPreconditionError(absl::StrCat("tile ", tile.name, " is in registers"));
    }
    return absl::OkStatus();
  }
};

}  // namespace

const CudaTransformation& Registers() {
  static const RegistersTransformation transformation;
  return transformation;
}

}  // namespace tune
