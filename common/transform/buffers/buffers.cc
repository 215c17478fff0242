#include "common/transform/buffers/buffers.h"

#include "common/decision/offer.h"
#include "common/transform/buffers/double_buffers.h"
#include "common/transform/serial_tiles/serial_tiles.h"
#include "common/transform/shared_memory/shared_memory.h"

namespace tune {
namespace {

class BuffersTransformation : public CudaTransformation {
  const char* name() const override { return "buffers"; }

  // A second copy pays from the third tile on: until then there is nothing to fetch ahead.
  static int64_t Default(const KernelSite& site) {
    const int64_t tile = site.plan.Get<SerialTileSize>().iterations;
    return site.threads().HasHelpers() && site.LongestSerialMember() > 2 * tile ? 2 : 1;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!plan->Get<SharedTiles>().on || site.LongestSerialMember() == 0) return absl::OkStatus();
    const NumberOffer offer{site.Key("buffers"), {1, 2}, {true, true}};
    TUNE_ASSIGN_OR_RETURN(const int64_t copies, Ask(chooser, offer, Default(site)));
    plan->Set(TileBuffers{copies});
    return absl::OkStatus();
  }

  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (pass.plan.Get<TileBuffers>().copies > 1) DoubleBuffers(pass.names, kernel);
  }

  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    for (const Tile& tile : kernel.tiles) {
      if (tile.shared && tile.copies != pass.plan.Get<TileBuffers>().copies)
        return absl::FailedPreconditionError(
            absl::StrCat("tile ", tile.name, " has ", tile.copies, " copies"));
    }
    return absl::OkStatus();
  }
};

}  // namespace

const CudaTransformation& Buffers() {
  static const BuffersTransformation transformation;
  return transformation;
}

}  // namespace tune
