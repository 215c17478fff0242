#include "common/transform/thread_tiles/tile_default.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "common/kernel/trip_count.h"
#include "common/mapping/cuda_limits.h"
#include "common/transform/reduction/reduction.h"
#include "common/transform/thread_tiles/tile_offer.h"

namespace tune {
namespace {

constexpr int64_t kDefaultThreads = 256;
constexpr int64_t kShortestProduct = 32;  // iterations of a sum that is worth a tile of points: two of memory

// The tile of a kernel that looks like a product of matrices, x and y, and what its blocks make of a
// multiprocessor that has enough of them, as a share of the best one's: points along an axis are what a term
// that was read is used for. Measured on an H100 with products of 2000 x 2600 and 2600 x 2300 floats.
struct ProductTile {
  TileSizes x, y;
  double share;

  double Points() const { return static_cast<double>(x.tile * y.tile); }
  double Warps() const { return static_cast<double>(x.block * y.block) / kWarp; }
};
constexpr ProductTile kProductTiles[] = {
    {{64, 8}, {128, 16}, 1.0},   // 8 x 8 points
    {{64, 16}, {64, 16}, 0.85},  // 4 x 4
    {{32, 16}, {32, 16}, 0.50},  // 2 x 2
};
// The same of halves by tensor cores (H200, 4096 x 4096 x 4096 and 2000 x 2300 x 2600: 0.457 and 0.155 ms;
// with 16 x 16 threads 0.502 and 0.169, of 128 x 256 sums 0.534 and 0.207). Shares of smaller ones are by
// what a term that was read is used for.
constexpr ProductTile kHalfTiles[] = {
    {{128, 8}, {128, 16}, 1.0},  // 8 x 16 points
    {{64, 8}, {128, 16}, 0.8},
    {{64, 8}, {64, 8}, 0.6},
    {{32, 8}, {32, 8}, 0.3},  // 4 x 4
};
constexpr double kEnoughWarps = 8;  // of a multiprocessor, for which the shares above are

// Sums of 64 points leave registers for the terms of two arrays, of 4 bytes each, where copies into tiles go
// past the registers. Terms of halves take few.
bool HasRoomFor(const ProductTile& tile, const KernelSite& site) {
  if (site.MultipliesHalves()) return true;
  const bool most = tile.Points() > static_cast<double>(16 * tile.x.block * tile.y.block);
  return !most || (site.device.CopiesAsynchronously() && site.kernel.constant_references <= 2 &&
                   site.kernel.constant_bytes <= 4);
}

// A product's iterations along y and x, and how many such products there are along z.
struct ProductShape {
  double rows = 0, columns = 0, count = 1;
};

// How long the multiprocessor with the most blocks takes, in points of the best tile.
double TimeOf(const ProductTile& tile, const ProductShape& shape, const DeviceFacts& device) {
  const double blocks = std::ceil(shape.rows / static_cast<double>(tile.y.tile)) *
                        std::ceil(shape.columns / static_cast<double>(tile.x.tile)) * shape.count;
  const double turns = std::ceil(blocks / device.multiprocessors);
  return turns * tile.Points() / tile.share / std::min(1.0, turns * tile.Warps() / kEnoughWarps);
}

// None where the kernel looks like no product.
std::optional<ProductShape> ShapeOfProduct(const KernelSite& site) {
  const KernelBand& root = site.kernel.bands[0];
  const size_t axes = site.threads().axes.size();
  if (site.threads().HasReduction() || axes < 2 || !root.innermost || site.kernel.constant_reads.empty())
    return {};
  int64_t serial = 0;
  std::vector<double> mapped;  // x last
  for (int m = 0; m < root.member_count(); ++m) {
    const int64_t trip_count = root.trip_counts[m] < 0 ? INT32_MAX : root.trip_counts[m];
    if (root.coincident[m]) {
      if (Repeats(trip_count)) mapped.push_back(static_cast<double>(trip_count));
    } else {
      ++serial;
      if (trip_count < kShortestProduct) return {};
    }
  }
  if (serial != 1 || mapped.size() != axes) return {};
  return ProductShape{mapped[axes - 2], mapped[axes - 1], axes > 2 ? mapped[0] : 1};
}

// The tile that is fastest; none where the kernel looks like no product, or there is not a block of the
// smallest for each multiprocessor.
std::optional<ProductTile> TileOfProduct(const KernelSite& site) {
  const std::optional<ProductShape> shape = ShapeOfProduct(site);
  const absl::Span<const ProductTile> tiles =
      site.MultipliesHalves() ? absl::MakeSpan(kHalfTiles) : absl::MakeSpan(kProductTiles);
  const ProductTile& smallest = tiles.back();
  if (!shape || shape->rows * shape->columns * shape->count < smallest.Points() * site.device.multiprocessors)
    return {};
  std::optional<ProductTile> best;
  for (const ProductTile& tile : tiles) {
    const auto time = [&](const ProductTile& of) { return TimeOf(of, *shape, site.device); };
    if (HasRoomFor(tile, site) && (!best || time(tile) < time(*best))) best = tile;
  }
  return best;
}

bool BoundsSums(const KernelSite& site, size_t place) {
  const auto member = static_cast<size_t>(site.threads().Axis(place).member);
  return member < site.kernel.bounds_sums.size() && site.kernel.bounds_sums[member];
}

// On the diagonal of a triangle tiles of the sum have conditions, and there are the fewer of them the less
// the block has of the axis that the sum's bounds depend on (H100, products with one triangle of 2000 x 2000
// floats: 0.37 ms in place of 0.57).
ProductTile AlongDiagonal(ProductTile tile, const KernelSite& site) {
  const bool along_y = BoundsSums(site, 1) && !BoundsSums(site, 0);
  if (along_y && tile.y.tile > tile.x.tile) std::swap(tile.x, tile.y);
  return tile;
}

// Whether neighbours along the last axis, y or z, share what they read, and there are enough of them for 4
// points a thread.
bool IsLargeStencil(const KernelSite& site) {
  const KernelBand& root = site.kernel.bands[0];
  if (site.threads().axes.size() < 2 || !root.innermost) return false;
  double points = 1;
  for (int m = 0; m < root.member_count(); ++m) {
    if (!site.threads().IsMapped(m) && Repeats(root.trip_counts[m])) return false;
    points *= root.trip_counts[m] < 0 ? HUGE_VAL : static_cast<double>(root.trip_counts[m]);
  }
  return points >= 4.0 * site.device.Threads();
}

// Threads along the axis beside those of a reduction: of rows as many as blocks have beside which they can
// run in one launch, or in a block's tile as many as there can be. Along x a half warp reads whole sectors of
// memory: twice the blocks where there are few.
int64_t BesideReduction(const KernelSite& site, size_t place, int64_t trip_count) {
  const ThreadMapping& threads = site.threads();
  const int64_t of_block = site.kernel.tile_loops.count > 0 ? site.device.max_threads_per_block
                                                            : std::max(kDefaultThreads, site.threads_beside);
  if (place > 0) return std::max<int64_t>(1, of_block / threads.ReductionThreads());
  const bool few =
      !threads.HasSplitReduction() && trip_count >= 0 && trip_count < 32 * site.device.multiprocessors;
  return few ? 16 : 32;
}

// Where threads wait for memory, those of a warp that are not there cost nothing, and a multiprocessor that
// is left out does; and a warp that touches as many lines of memory as it has threads is the sooner done with
// each (H100, blocks of 32, 16 and 8 threads: the sweeps of a step of adi with loads ahead, 2000 threads,
// 0.73, 0.60 and 0.56 ms; rows of deriche, 7680 threads, 0.65, 0.45 and 0.37 ms). Of those that walk along
// columns, side by side, each multiprocessor gets a block first, and blocks become whole warps then (H200,
// columns of deriche, 4320 threads in each of two kernels at once, blocks of 8, 16 and 32: 310, 255 and 243
// us).
int64_t OfRecurrence(const KernelSite& site, int64_t trip_count) {
  const std::optional<InnerLoop> loop = site.LongestRecurrence();
  if (loop && !loop->along_rows && trip_count >= 0) {
    int64_t threads = 8;
    while (threads < kWarp && trip_count >= 2 * threads * site.device.multiprocessors) threads *= 2;
    return threads;
  }
  const int64_t blocks = int64_t{site.device.multiprocessors} * site.device.max_blocks_per_multiprocessor;
  int64_t threads = 8;
  while (threads < kWarp && (trip_count < 0 || trip_count > threads * blocks)) threads *= 2;
  return threads;
}

int64_t OfOneAxis(const KernelSite& site, int64_t trip_count) {
  if (site.WaitsInRecurrence()) return OfRecurrence(site, trip_count);
  const int64_t least = site.WaitsForTerms() ? 16 : 32;
  int64_t threads = kDefaultThreads;
  while (threads > least && trip_count >= 0 && trip_count < threads * site.device.multiprocessors)
    threads /= 2;
  return threads;
}

// Of a block that runs a tile of time along one axis: copies have the threads of the tile's steps. Where all
// blocks are on the device at once with as many threads as there can be, each step is the sooner done the
// fewer points a thread has (H200, jacobi-1d of 4000 floats in 6 tiles, 1000 steps: 128, 256, 512 and 1024
// threads 523, 320, 310 and 203 us).
int64_t ThreadsAlongTile(const KernelSite& site) {
  if (site.threads_beside > 0) return site.threads_beside;
  const int64_t most = site.ThreadsLeft(), tiles = site.kernel.tile_loops.tiles;
  const bool at_once = tiles >= 0 && static_cast<double>(tiles * most) <= site.device.Threads();
  return at_once ? most : kDefaultThreads;
}

// Of a kernel that runs in tiles of time: all that a tile has along the axis, by a thread for each point or
// the usual threads of a block. Where rows differ in length a block has as many rows as threads, and takes
// the next ones then: what a row's bounds are is asked once for all of its points (H200, seidel-2d of 4000 x
// 4000 floats and 1000 steps, copies of 8 x 8 points a thread: 107 ms). Of sums that threads share all are
// begun at once.
TileSizes OfTimeTile(const KernelSite& site, size_t place, const NumberOffer& tiles) {
  if (site.threads().HasReduction()) {
    const int64_t tile = tiles.Nearest(site.TripCount(site.threads().Axis(place).member));
    return {tile, std::min(tile, site.ThreadsLeft())};
  }
  if (HasThreadsForAll(site)) {
    const int64_t all = site.TripCount(site.threads().Axis(place).member);
    return {all, all};
  }
  const bool one_axis = site.threads().axes.size() == 1;
  const int64_t of_block = site.threads_beside >= kWarp ? site.threads_beside : kDefaultThreads;
  const int64_t threads = one_axis     ? ThreadsAlongTile(site)
                          : place == 0 ? kWarp
                          : place == 1 ? of_block / kWarp
                                       : 1;
  if (place > 0 && !site.kernel.bands[0].boxes) {
    const int64_t rows = std::min(threads, site.ThreadsLeft());
    return {tiles.Nearest(rows), rows};
  }
  int64_t tile = tiles.values[0];
  for (const int64_t size : tiles.values) {
    const bool fits = size <= threads * site.PointsLeft();
    if (fits && tile < site.TripCount(site.threads().Axis(place).member)) tile = size;
  }
  return {tile, std::min(threads, site.ThreadsLeft())};
}

// 4 points of a thread along the last axis; in space warps of a block lie beside one another in the planes
// (H200, a step of heat-3d with 200 x 200 x 200 floats: 21.5 us, with 32 x 4 x 2 threads of one point each
// 31.2; with 8 points as with 4). Fewer where there are not so many.
TileSizes AlongLastAxis(size_t place, int64_t trip_count) {
  TileSizes sizes = {4, 1};
  if (place == 1) sizes.block = kDefaultThreads / kWarp;
  sizes.tile = 4 * sizes.block;
  while (sizes.tile > sizes.block && trip_count >= 0 && sizes.tile / 2 >= trip_count) sizes.tile /= 2;
  return sizes;
}

int64_t WantedThreads(const KernelSite& site, size_t place, int64_t trip_count) {
  const size_t axes = site.threads().axes.size();
  if (site.threads().HasReduction()) return BesideReduction(site, place, trip_count);
  if (axes == 1) return OfOneAxis(site, trip_count);
  if (axes == 3 && !IsLargeStencil(site)) return place == 0 ? 32 : place == 1 ? 4 : 2;
  return place == 0 ? 32 : 8;
}

}  // namespace

TileSizes DefaultTile(const KernelSite& site, size_t place, const NumberOffer& tiles) {
  if (site.kernel.tile_loops.count > 0 && !site.threads().HasReduction())
    return OfTimeTile(site, place, tiles);
  // A thin matrix has no room for the tile.
  if (const std::optional<ProductTile> product = TileOfProduct(site)) {
    const ProductTile tile = AlongDiagonal(*product, site);
    const TileSizes sizes = place == 0 ? tile.x : place == 1 ? tile.y : TileSizes();
    return {tiles.Nearest(sizes.tile), sizes.block};
  }
  const int64_t trip_count = site.TripCount(site.threads().Axis(place).member);
  if (place > 0 && place + 1 == site.threads().axes.size() && IsLargeStencil(site)) {
    const TileSizes sizes = AlongLastAxis(place, trip_count);
    return {tiles.Nearest(sizes.tile), std::min(sizes.block, site.ThreadsLeft())};
  }
  if (place == 0 && site.threads().HasSplitReduction()) {
    const int64_t columns = ColumnsOfThread(site);
    if (columns > 1) return {tiles.Nearest(columns * kWarp), std::min(kWarp, site.ThreadsLeft())};
  }
  const int64_t wanted = std::min(WantedThreads(site, place, trip_count), site.ThreadsLeft());
  int64_t best = tiles.values[0];
  for (const int64_t size : tiles.values) {
    if (size <= wanted && (size == tiles.values[0] || trip_count < 0 || size / 2 < trip_count)) best = size;
  }
  return {best, best};
}

}  // namespace tune
