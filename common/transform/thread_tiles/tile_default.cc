#include "common/transform/thread_tiles/tile_default.h"

#include <algorithm>
#include <cmath>

#include "common/kernel/trip_count.h"

namespace tune {
namespace {

constexpr int64_t kDefaultThreads = 256;
constexpr int64_t kShortestProduct = 64;  // iterations of a sum that is worth a tile of points

// The side of the tile, 4 x 4 or 2 x 2 points for each of 256 threads, of a kernel that looks like a product
// of matrices: the largest of which there is one for each multiprocessor; 0 when there is none.
int64_t ProductTile(const KernelSite& site) {
  const KernelBand& root = site.kernel.bands[0];
  if (site.threads().HasReduction() || site.threads().axes.size() != 2 || !root.innermost ||
      site.kernel.read_only_arrays.empty())
    return 0;
  int64_t serial = 0;
  std::vector<int64_t> mapped;
  for (int m = 0; m < root.member_count(); ++m) {
    const int64_t trip_count = root.trip_counts[m] < 0 ? INT32_MAX : root.trip_counts[m];
    if (root.coincident[m]) {
      if (Repeats(trip_count)) mapped.push_back(trip_count);
    } else {
      ++serial;
      if (trip_count < kShortestProduct) return 0;
    }
  }
  if (serial != 1 || mapped.size() != 2) return 0;
  for (const int64_t tile : {64, 32}) {
    const double blocks = std::ceil(static_cast<double>(mapped[0]) / static_cast<double>(tile)) *
                          std::ceil(static_cast<double>(mapped[1]) / static_cast<double>(tile));
    if (blocks >= site.device.multiprocessors) return tile;
  }
  return 0;
}

// Whether neighbours along y share what they read, and there are enough of them for 4 points a thread.
bool IsLargeStencil(const KernelSite& site) {
  const KernelBand& root = site.kernel.bands[0];
  if (site.threads().axes.size() != 2 || !root.innermost) return false;
  double points = 1;
  for (int m = 0; m < root.member_count(); ++m) {
    if (!site.threads().IsMapped(m) && Repeats(root.trip_counts[m])) return false;
    points *= root.trip_counts[m] < 0 ? HUGE_VAL : static_cast<double>(root.trip_counts[m]);
  }
  return points >= 4.0 * site.device.Threads();
}

// Threads along the axis beside those of a reduction. Along x a half warp reads whole sectors of memory:
// twice the blocks where there are few.
int64_t BesideReduction(const KernelSite& site, size_t place, int64_t trip_count) {
  const ThreadMapping& threads = site.threads();
  if (place > 0) return std::max<int64_t>(1, kDefaultThreads / threads.ReductionThreads());
  const bool few =
      !threads.HasSplitReduction() && trip_count >= 0 && trip_count < 32 * site.device.multiprocessors;
  return few ? 16 : 32;
}

int64_t OfOneAxis(const KernelSite& site, int64_t trip_count) {
  const int64_t least = site.WaitsForTerms() ? 16 : 32;
  int64_t threads = kDefaultThreads;
  while (threads > least && trip_count >= 0 && trip_count < threads * site.device.multiprocessors)
    threads /= 2;
  return threads;
}

int64_t WantedThreads(const KernelSite& site, size_t place, int64_t trip_count) {
  const size_t axes = site.threads().axes.size();
  if (site.threads().HasReduction()) return BesideReduction(site, place, trip_count);
  if (axes == 1) return OfOneAxis(site, trip_count);
  if (axes == 3) return place == 0 ? 32 : place == 1 ? 4 : 2;
  return place == 0 ? 32 : 8;
}

}  // namespace

TileSizes DefaultTile(const KernelSite& site, size_t place, const NumberOffer& tiles) {
  // A thin matrix has no room for the tile.
  if (const int64_t product = ProductTile(site); product > 0) return {tiles.Nearest(product), 16};
  if (place == 1 && IsLargeStencil(site))
    return {tiles.Nearest(32), std::min<int64_t>(8, site.ThreadsLeft())};
  const int64_t trip_count = site.TripCount(site.threads().Axis(place).member);
  const int64_t wanted = std::min(WantedThreads(site, place, trip_count), site.ThreadsLeft());
  int64_t best = tiles.values[0];
  for (const int64_t size : tiles.values) {
    if (size <= wanted && (size == tiles.values[0] || trip_count < 0 || size / 2 < trip_count)) best = size;
  }
  return {best, best};
}

}  // namespace tune
