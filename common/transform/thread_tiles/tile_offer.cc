#include "common/transform/thread_tiles/tile_offer.h"

#include <algorithm>

#include "common/mapping/cuda_limits.h"

namespace tune {
namespace {

// x: the paper's 32 to 512, 256 or 128, and less beside threads that use up the block, those of a reduction
// or those that fetch what a few others add up, and where few threads run recurrences; y and z also below the
// paper's 4 and 2, and y above its 32, for many products at once.
constexpr int64_t kLargest[3][3] = {{1024, 0, 0}, {256, 128, 0}, {128, 128, 16}};

int64_t Smallest(const KernelSite& site, size_t place) {
  if (place > 0) return 1;
  const bool few = site.WaitsForTerms() || site.WaitsInRecurrence();
  return site.threads().HasReduction() || few ? 8 : 32;
}

}  // namespace

bool HasThreadsForAll(const KernelSite& site) {
  const bool sums = site.threads().HasReduction();
  if (site.kernel.tile_loops.count == 0 || site.threads().axes.size() != 2 || sums) return false;
  int64_t points = 1;
  for (size_t place = 0; place < 2; ++place) {
    const int64_t trip_count = site.TripCount(site.threads().Axis(place).member);
    if (trip_count <= 0 || trip_count > kLargest[1][place]) return false;
    points *= trip_count;
  }
  return points <= site.device.max_threads_per_block;
}

NumberOffer OfferTiles(const KernelSite& site, size_t place) {
  const int64_t trip_count = site.TripCount(site.threads().Axis(place).member);
  const int64_t smallest = Smallest(site, place);
  NumberOffer offer{site.Key(absl::StrCat("tile_size_", site.threads().Axis(place).member)), {}, {}};
  const int64_t all = HasThreadsForAll(site) ? trip_count : 0;
  if (0 < all && all < smallest) offer.Add(all, all <= site.ThreadsLeft() * site.PointsLeft());
  for (int64_t size = smallest; size <= kLargest[site.threads().axes.size() - 1][place]; size *= 2) {
    const bool useful = size == smallest || trip_count < 0 || size / 2 < trip_count;
    offer.Add(size, useful && size <= site.ThreadsLeft() * site.PointsLeft());
    if (size < all && all < 2 * size) offer.Add(all, all <= site.ThreadsLeft() * site.PointsLeft());
  }
  return offer;
}

NumberOffer OfferBlocks(const KernelSite& site, size_t place, int64_t tile) {
  NumberOffer offer{site.Key(absl::StrCat("block_size_", site.threads().Axis(place).member)), {}, {}};
  const int64_t smallest = std::min<int64_t>(Smallest(site, place), place == 0 ? 8 : 1);
  const auto add = [&](int64_t size) {
    offer.Add(size, size <= site.ThreadsLeft() && tile % size == 0 && tile / size <= site.PointsLeft() &&
                        (place < 2 || size <= kMostInZ));
  };
  for (int64_t size = smallest; size <= tile; size *= 2) add(size);
  if (offer.values.empty() || (tile & (tile - 1)) != 0) add(tile);
  return offer;
}

}  // namespace tune
