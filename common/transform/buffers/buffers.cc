#include "common/transform/buffers/buffers.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/transform/asynchronous_fills/asynchronous_fills.h"
#include "common/transform/buffers/pipeline.h"
#include "common/transform/serial_tiles/serial_tiles.h"
#include "common/transform/shared_memory/shared_memory.h"

namespace tune {
namespace {

// More copies than two pay where the device fetches by itself.
constexpr int64_t kMostPlainCopies = 2;
constexpr int64_t kMostCopies = 4;
// One is read, one has arrived when that is done, one is under way.
constexpr int64_t kDefaultCopies = 3;

// About what the tiles of products take: rows of one array along each axis, for each product. Those along x
// may be longer by an element.
int64_t AboutTileBytes(const KernelSite& site) {
  if (site.threads().axes.empty()) return 0;
  int64_t rows = 0;
  for (const CudaAxis& axis : site.threads().axes) rows += std::max<int64_t>(axis.tile, 1);
  const int64_t products = std::max(site.kernel.constant_references / 2, 1);
  const int64_t elements = rows * site.plan.Get<SerialTileSize>().iterations + site.threads().Axis(0).tile;
  return products * elements * site.kernel.constant_bytes;
}

class BuffersTransformation : public CudaTransformation {
  const char* name() const override { return "buffers"; }

  static NumberOffer Options(const KernelSite& site) {
    NumberOffer offer{site.Key("buffers"), {}, {}};
    const bool asynchronous = site.plan.Get<FillCopies>().asynchronous;
    for (int64_t copies = 1; copies <= kMostCopies; ++copies)
      offer.Add(copies, copies <= kMostPlainCopies || asynchronous);
    return offer;
  }

  // A second copy pays from the third tile on: until then there is nothing to fetch ahead.
  static int64_t Default(const KernelSite& site) {
    const int64_t tile = site.plan.Get<SerialTileSize>().iterations;
    if (site.LongestSerialMember() <= 2 * tile) return 1;
    if (site.plan.Get<FillCopies>().asynchronous) {
      const int64_t room = MostTileBytes(site.plan, site.device) / std::max<int64_t>(AboutTileBytes(site), 1);
      return std::clamp<int64_t>(room, 1, kDefaultCopies);
    }
    return site.threads().HasHelpers() ? kMostPlainCopies : 1;
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!plan->Get<SharedTiles>().on || site.LongestSerialMember() == 0) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int64_t copies, Ask(chooser, Options(site), Default(site)));
    plan->Set(TileBuffers{copies});
    return absl::OkStatus();
  }

  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    PipelineFills(pass.plan.Get<TileBuffers>().copies, kernel);
  }

  // Tiles that are not filled by a loop have one copy.
  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    for (const Tile& tile : kernel.tiles) {
      if (tile.shared && tile.copies != 1 && tile.copies != pass.plan.Get<TileBuffers>().copies)
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
