#include "common/transform/loop_tiles/loop_tiles.h"

#include "common/decision/offer.h"
#include "common/kernel/trip_count.h"
#include "common/transform/packed_product/packed_product.h"

namespace tune {
namespace {

constexpr int64_t kTileSizes[] = {0, 4, 8, 16, 32, 64, 128, 256};
constexpr int64_t kDefaultTileSize = 32;
// Iterations whose data the first-level cache holds at least.
constexpr double kCachedIterations = 2048;

// Strip-mining one loop alone changes nothing, except that it makes chunks for threads.
bool IsTilable(const KernelBand& band, bool is_root) {
  if (!band.permutable) return false;
  return band.member_count() >= 2 || (is_root && band.coincident[0]);
}

// Whether what an iteration of the outermost member touches is still in the cache when the next one comes:
// tiles would only make the loops shorter.
bool StaysInCache(const KernelBand& band) {
  double inside = 1;
  for (int m = 1; m < band.member_count(); ++m) {
    if (band.trip_counts[m] < 0) return false;
    inside *= band.trip_counts[m];
  }
  return band.innermost && inside <= kCachedIterations;
}

class LoopTilesTransformation : public OpenMpTransformation {
  const char* name() const override { return "loop_tiles"; }

  static NumberOffer Sizes(const std::string& key, int64_t trip_count) {
    NumberOffer offer{key, {}, {}};
    for (const int64_t size : kTileSizes) offer.Add(size, trip_count < 0 || trip_count >= size);
    return offer;
  }

  static int64_t Default(const KernelBand& band, int64_t trip_count, bool written) {
    const bool tile = !written && band.member_count() >= 2 && !StaysInCache(band) &&
                      (trip_count < 0 || trip_count > kDefaultTileSize);
    return tile ? kDefaultTileSize : 0;
  }

  absl::Status Decide(const HostKernelSite& site, Chooser& chooser, HostKernelPlan* plan) const override {
    if (plan->Get<PackedProduct>().blocks) return absl::OkStatus();
    BandTiles tiles;
    for (size_t b = 0; b < site.kernel.bands.size(); ++b) {
      const KernelBand& band = site.kernel.bands[b];
      std::vector<int64_t> sizes(band.member_count(), 0);
      const std::string prefix = b == 0 ? "tile_size_" : absl::StrCat("b", b, ".tile_size_");
      for (int m = 0; IsTilable(band, b == 0) && m < band.member_count(); ++m) {
        const int64_t trips = band.trip_counts[m];
        if (!Repeats(trips)) continue;
        TUNE_ASSIGN_OR_RETURN(sizes[m], Ask(chooser, Sizes(site.Key(absl::StrCat(prefix, m)), trips),
                                            Default(band, trips, site.written)));
      }
      tiles.sizes.push_back(std::move(sizes));
    }
    plan->Set(std::move(tiles));
    return absl::OkStatus();
  }

  void ApplyToBand(const HostKernelPlan& plan, size_t band, BandRequest* request) const override {
    const std::vector<std::vector<int64_t>>& sizes = plan.Get<BandTiles>().sizes;
    if (band < sizes.size()) request->tile_sizes = sizes[band];
  }
};

}  // namespace

const OpenMpTransformation& LoopTiles() {
  static const LoopTilesTransformation transformation;
  return transformation;
}

}  // namespace tune
