#include "common/transform/split_sums/part_count.h"

#include <algorithm>
#include <cmath>

#include "common/array/element_type.h"
#include "common/transform/kernel_site.h"

namespace tune {
namespace {

// Elements of a block, as loop tiles are by default, its warps, what part of the best one's speed a
// multiprocessor reaches that has enough of them, and the largest elements for which there are registers, of
// sums of products.
struct BlockTile {
  int64_t rows, columns, warps;
  double share;
  size_t most_bytes;

  // Those that have places.
  int64_t CountOf(const SumNest& nest) const {
    const int64_t down = (nest.row_count + rows - 1) / rows;
    const int64_t across = (nest.column_count + columns - 1) / columns;
    if (nest.filled == 1) return down * across;
    // Half of those that the slanting side crosses are outside.
    const double inside = nest.filled * static_cast<double>(down * across);
    return std::min(down * across,
                    static_cast<int64_t>(std::ceil(inside + static_cast<double>(down + across) / 2)));
  }
};
constexpr BlockTile kTiles[] = {{128, 64, 4, 1, 4}, {64, 64, 8, 0.9, 8}};
// Of the second tile where an addition reads more than two elements, for which the first has no registers
// (H200, syr2k: 2600 x 2600 floats, sums of 2000).
constexpr double kCrowdedShare = 0.62;

// Blocks that registers leave room for on a multiprocessor.
constexpr int64_t kBlocksAtOnce = 3;
constexpr int64_t kLeastCount = 256;  // of a part's additions to an element
constexpr int kMostParts = 8;
constexpr double kLeastGain = 0.05;
// What a good product reaches of a multiprocessor's peak, and of the memory's. GPUs' clocks lie around this
// one, of which nothing is known here.
constexpr double kPeakShare = 0.75, kBandwidthShare = 0.8, kClock = 1.5e9;
constexpr double kLaunchSeconds = 4e-6;
// The first and the last tile of a part's sum are filled while nothing is computed.
constexpr double kPartOverhead = 1.03;
// Of a sum whose terms have a common factor each term is multiplied by it; those of a part are not.
constexpr double kFactorOverhead = 1.1;
// Where sums begin at different times beside something that is done before them, tiles of both times have
// conditions (H200, the sums below the diagonal in symm, 2000 x 2600 floats: 524 us, their parts and what is
// left 367).
constexpr double kBeginOverhead = 1.3;
// So many blocks for each multiprocessor that no round is much emptier than others.
constexpr int64_t kManyRounds = 16;

// Additions with a product that a multiprocessor begins in a clock (CUDA C++ Programming Guide, "Throughput
// of Native Arithmetic Instructions"): of floats; doubles are half of it where they are fastest.
double Lanes(v1::ElementType type, const DeviceFacts& device) {
  const int major = device.compute_capability_major, minor = device.compute_capability_minor;
  const bool has_64 = major == 7 || (major == 6 && minor == 0) || (major == 8 && minor == 0);
  const double floats = has_64 ? 64 : 128;
  return type == v1::ELEMENT_TYPE_DOUBLE ? floats / 2 : floats;
}

// What part of its speed a multiprocessor reaches with so many warps (H100, float, products of 1,536 to 3,584
// x 2,600 and 2,600 x 2,300: one block of four warps takes 0.20 ms, two 0.32 ms and three 0.46 ms).
double ShareOfSpeed(int64_t warps) { return std::min(1.0, 0.57 + 0.047 * static_cast<double>(warps)); }

// In what a block takes of a multiprocessor that is busy: all hold as many as they can, until the rest is
// spread over them.
double TimeOfBlocks(int64_t blocks, const BlockTile& tile, const DeviceFacts& device) {
  const int64_t round = kBlocksAtOnce * device.multiprocessors;
  const int64_t rest = (blocks % round + device.multiprocessors - 1) / device.multiprocessors;
  const double last = rest == 0 ? 0 : static_cast<double>(rest) / ShareOfSpeed(rest * tile.warps);
  const int64_t rounds = blocks / round;
  return static_cast<double>(rounds * kBlocksAtOnce) + last;
}

// How long it takes to add up the sums, or their parts.
double ComputingSeconds(const SumNest& nest, const SumParts& parts, v1::ElementType type,
                        const DeviceFacts& device) {
  const bool crowded = nest.reads_more && !parts.terms_apart;
  const int at_once =
      parts.terms_apart ? nest.terms : 1;  // sums of an element that blocks of their own add up
  const double additions = static_cast<double>(nest.count) * nest.share * nest.terms / at_once;
  const int ranges = std::max(parts.ranges, 1);
  double least = 0;
  for (const BlockTile& tile : kTiles) {
    if (ElementSize(type) > tile.most_bytes || (crowded && &tile == &kTiles[0])) continue;
    const double addition =
        static_cast<double>(tile.rows * tile.columns) /
        (Lanes(type, device) * kClock * kPeakShare * (crowded ? kCrowdedShare : tile.share));
    const double seconds =
        TimeOfBlocks(tile.CountOf(nest) * ranges * at_once, tile, device) * addition * additions / ranges;
    if (least == 0 || seconds < least) least = seconds;
  }
  if (parts.AreThere()) return kPartOverhead * least;
  return least * (nest.has_factor ? kFactorOverhead : 1) * (nest.begins_apart ? kBeginOverhead : 1);
}

}  // namespace

SumParts ChooseParts(const SumNest& nest, v1::ElementType type, const DeviceFacts& device) {
  if (device.memory_bandwidth <= 0 || device.multiprocessors <= 1 || nest.count < 2 * kLeastCount) return {};
  const double places =
      static_cast<double>(nest.row_count) * static_cast<double>(nest.column_count) * nest.filled;
  if (places < EnoughInstances(device)) return {};  // threads of a block share the sums
  const bool many = kTiles[0].CountOf(nest) > kManyRounds * device.multiprocessors;
  if (many && !nest.reads_more && !nest.begins_apart) return {};
  const double bytes = places * static_cast<double>(ElementSize(type));
  const auto seconds = [&](const SumParts& parts) {
    const double computing = ComputingSeconds(nest, parts, type, device);
    if (!parts.AreThere()) return computing;
    const int arrays = parts.ranges * (parts.terms_apart ? nest.terms : 1);
    return computing + 2 * arrays * bytes / (kBandwidthShare * device.memory_bandwidth) + kLaunchSeconds;
  };
  SumParts best;
  for (const bool apart : {false, true}) {
    if (apart && (nest.terms == 1 || !nest.reads_more)) continue;
    for (int ranges = 1; ranges <= kMostParts && nest.count / ranges >= kLeastCount; ++ranges) {
      if (seconds({ranges, apart}) < seconds(best)) best = {ranges, apart};
    }
  }
  return seconds(best) < (1 - kLeastGain) * seconds({}) ? best : SumParts{};
}

}  // namespace tune
