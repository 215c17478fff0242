#include "common/transform/split_sums/part_count.h"

#include <algorithm>
#include <cmath>

#include "common/array/element_type.h"
#include "common/transform/kernel_site.h"
#include "common/transform/split_sums/part_model.h"

namespace tune {
namespace {

// Elements of a block, as loop tiles are by default, its warps, what part of the best one's speed a
// multiprocessor reaches that has enough of them, and the largest elements for which there are registers, of
// sums of products.
struct BlockTile {
  int64_t rows, columns, warps;
  double share;
  size_t most_bytes;
};
constexpr BlockTile kTiles[] = {{kLargestRows, kLargestColumns, 4, 1, 4}, {64, 64, 8, 0.9, 8}};
// Of the second tile where an addition reads more than two elements, for which the first has no registers
// (H200, syr2k: 2600 x 2600 floats, sums of 2000).
constexpr double kCrowdedShare = 0.62;

// What a good product reaches of a multiprocessor's peak, and of the memory's. GPUs' clocks lie around this
// one, of which nothing is known here.
constexpr double kPeakShare = 0.75, kBandwidthShare = 0.8, kClock = 1.5e9;
// Of a sum whose terms have a common factor each term is multiplied by it; those of a part are not.
constexpr double kFactorOverhead = 1.1;
// Where sums begin at different times beside something that is done before them, tiles of both times have
// conditions (H200, the sums below the diagonal in symm, 2000 x 2600 floats: 524 us, their parts and what is
// left 367).
constexpr double kBeginOverhead = 1.3;

// Additions with a product that a multiprocessor begins in a clock (CUDA C++ Programming Guide, "Throughput
// of Native Arithmetic Instructions"): of floats; doubles are half of it where they are fastest. Of complex
// numbers each is four.
double Lanes(v1::ElementType type, const DeviceFacts& device) {
  const int major = device.compute_capability_major, minor = device.compute_capability_minor;
  const bool has_64 = major == 7 || (major == 6 && minor == 0) || (major == 8 && minor == 0);
  const double floats = has_64 ? 64 : 128;
  const double reals = ComponentType(type) == v1::ELEMENT_TYPE_DOUBLE ? floats / 2 : floats;
  return IsComplex(type) ? reals / 4 : reals;
}

// Of those that have places.
int64_t BlocksOf(const PartModel::Tile& tile, const SumNest& nest) {
  const int64_t down = (nest.row_count + tile.rows - 1) / tile.rows;
  const int64_t across = (nest.column_count + tile.columns - 1) / tile.columns;
  if (nest.filled == 1) return down * across;
  // Half of those that the slanting side crosses are outside.
  const double inside = nest.filled * static_cast<double>(down * across);
  return std::min(down * across,
                  static_cast<int64_t>(std::ceil(inside + static_cast<double>(down + across) / 2)));
}

double ShareOfSpeed(int64_t warps) {
  return std::min(1.0, kSpeedOfNoWarp + kSpeedOfWarp * static_cast<double>(warps));
}

// In what a block takes of a multiprocessor that is busy: all hold as many as they can, until the rest is
// spread over them.
double TimeOfBlocks(int64_t blocks, int64_t warps, const DeviceFacts& device) {
  const int64_t round = kBlocksAtOnce * device.multiprocessors;
  const int64_t rest = (blocks % round + device.multiprocessors - 1) / device.multiprocessors;
  const double last = rest == 0 ? 0 : static_cast<double>(rest) / ShareOfSpeed(rest * warps);
  const int64_t rounds = blocks / round;
  return static_cast<double>(rounds * kBlocksAtOnce) + last;
}

// Of all: where there are ranges, what is moved of their sums, and the launch that adds them, included.
double Seconds(const PartModel& model, const SumNest& nest, int ranges, const DeviceFacts& device) {
  const int parts = std::max(ranges, 1);
  double least = 0;
  for (const PartModel::Tile& tile : model.tiles) {
    const double seconds = TimeOfBlocks(BlocksOf(tile, nest) * parts * model.sums, tile.warps, device) *
                           tile.addition * static_cast<double>(nest.count) * model.additions / parts;
    if (least == 0 || seconds < least) least = seconds;
  }
  if (ranges == 0) return model.whole * least;
  const double places =
      static_cast<double>(nest.row_count) * static_cast<double>(nest.column_count) * nest.filled;
  return kPartOverhead * least + ranges * places * model.place_seconds + kLaunchSeconds;
}

}  // namespace

PartModel ModelOfParts(const SumNest& nest, bool terms_apart, v1::ElementType type,
                       const DeviceFacts& device) {
  const bool crowded = nest.reads_more && !terms_apart;
  PartModel model;
  for (const BlockTile& tile : kTiles) {
    if (ElementSize(type) > tile.most_bytes || (crowded && &tile == &kTiles[0])) continue;
    const double peak = Lanes(type, device) * kClock * kPeakShare;
    model.tiles.push_back(
        {tile.rows, tile.columns, tile.warps,
         static_cast<double>(tile.rows * tile.columns) / (peak * (crowded ? kCrowdedShare : tile.share))});
  }
  model.sums = terms_apart ? nest.terms : 1;
  model.additions = nest.share * nest.terms / model.sums;
  model.whole = (nest.has_factor ? kFactorOverhead : 1) * (nest.begins_apart ? kBeginOverhead : 1);
  model.place_seconds =
      2 * model.sums * static_cast<double>(ElementSize(type)) / (kBandwidthShare * device.memory_bandwidth);
  return model;
}

SumParts ChooseParts(const SumNest& nest, v1::ElementType type, const DeviceFacts& device) {
  if (device.memory_bandwidth <= 0 || device.multiprocessors <= 1 || nest.count < 2 * kLeastCount) return {};
  const double places =
      static_cast<double>(nest.row_count) * static_cast<double>(nest.column_count) * nest.filled;
  if (places < EnoughInstances(device)) return {};  // threads of a block share the sums
  const PartModel::Tile largest = {kLargestRows, kLargestColumns, 0, 0};
  const bool many = BlocksOf(largest, nest) > kManyRounds * device.multiprocessors;
  if (many && !nest.reads_more && !nest.begins_apart) return {};
  const double whole = Seconds(ModelOfParts(nest, false, type, device), nest, 0, device);
  SumParts best;
  double least = whole;
  for (const bool apart : {false, true}) {
    if (apart && (nest.terms == 1 || !nest.reads_more)) continue;
    const PartModel model = ModelOfParts(nest, apart, type, device);
    for (int ranges = 1; ranges <= kMostParts && nest.count / ranges >= kLeastCount; ++ranges) {
      const double seconds = Seconds(model, nest, ranges, device);
      if (seconds >= least) continue;
      least = seconds;
      best = {ranges, apart};
    }
  }
  return least < (1 - kLeastGain) * whole ? best : SumParts{};
}

}  // namespace tune
