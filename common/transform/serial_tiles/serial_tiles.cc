#include "common/transform/serial_tiles/serial_tiles.h"

#include "common/decision/offer.h"
#include "common/mapping/instance_function.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "common/transform/tensor_cores/tensor_cores.h"

namespace tune {
namespace {

constexpr int64_t kShortestTile = 8, kLongestTile = 2048;
constexpr int64_t kLongestOwnTile = 64;  // that those who use it fill
constexpr int64_t kOwnTile = 16;
constexpr int64_t kTileOfHalves = 32;      // two matrix instructions
constexpr int64_t kFilledElements = 4096;  // of a tile that others fill, by default

class SerialTilesTransformation : public CudaTransformation {
  const char* name() const override { return "serial_tiles"; }

  static NumberOffer Options(const KernelSite& site) {
    NumberOffer offer{site.Key("inner_tile"), {}, {}};
    const int64_t longest = site.LongestSerialMember();
    for (int64_t size = kShortestTile; size <= kLongestTile; size *= 2)
      offer.Add(size, size == kShortestTile ||
                          (longest > size / 2 && (site.threads().HasHelpers() || size <= kLongestOwnTile)));
    return offer;
  }

  static int64_t Default(const KernelSite& site) {
    const ThreadMapping& threads = site.threads();
    if (MatrixProductsOf(site) == TensorCoreProducts::Of::kHalves) return kTileOfHalves;
    return threads.HasHelpers() ? kFilledElements * threads.per_runner / threads.Threads() : kOwnTile;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!plan->Get<SharedTiles>().on || site.LongestSerialMember() == 0) return absl::OkStatus();
    const NumberOffer offer = Options(site);
    TUNE_ASSIGN_OR_RETURN(const int64_t size, Ask(chooser, offer, offer.Nearest(Default(site))));
    plan->Set(SerialTileSize{size});
    return absl::OkStatus();
  }

  // Within a tile iterations count from 0, so that subscripts of shared tiles are constants when unrolled.
  void ApplyToLoops(const BlockOfKernel& block, ThreadNest* nest) const override {
    if (!block.plan->Get<SharedTiles>().on) return;
    const int64_t size = block.plan->Get<SerialTileSize>().iterations;
    for (ThreadLoop& loop : nest->serial) {
      nest->tiles.push_back({loop.member, FloorDiv(loop.value, size), size});
      loop.value = Modulo(loop.value, size);
    }
  }
};

}  // namespace

const CudaTransformation& SerialTiles() {
  static const SerialTilesTransformation transformation;
  return transformation;
}

}  // namespace tune
