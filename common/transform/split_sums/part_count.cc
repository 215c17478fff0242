#include "common/transform/split_sums/part_count.h"

#include <algorithm>
#include <cmath>

#include "common/transform/kernel_site.h"

namespace tune {
namespace {

// Elements of a block, as loop tiles are by default, and what part of the best one's speed it reaches.
struct BlockTile {
  int64_t rows, columns;
  double share;

  int64_t CountOf(const SumNest& nest) const {
    return ((nest.row_count + rows - 1) / rows) * ((nest.column_count + columns - 1) / columns);
  }
};
constexpr BlockTile kTiles[] = {{128, 64, 1}, {64, 64, 0.9}};

constexpr int64_t kLeastCount = 256;  // of a part's additions to an element
constexpr int kMostParts = 8;
constexpr double kLeastGain = 0.05;
// What a good product reaches of a multiprocessor's peak, and of the memory's. GPUs' clocks lie around this
// one, of which nothing is known here.
constexpr double kPeakShare = 0.75, kBandwidthShare = 0.8, kClock = 1.5e9;
constexpr double kLaunchSeconds = 4e-6;
// The first and the last tile of a part's sum are filled while nothing is computed.
constexpr double kPartOverhead = 1.06;
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

// How long it takes to add up the parts, in rounds of so many blocks as there are multiprocessors.
double ComputingSeconds(const SumNest& nest, int parts, v1::ElementType type, const DeviceFacts& device) {
  double least = 0;
  for (const BlockTile& tile : kTiles) {
    const double rounds = std::ceil(static_cast<double>(tile.CountOf(nest) * parts) / device.multiprocessors);
    const double addition = static_cast<double>(tile.rows * tile.columns) /
                            (Lanes(type, device) * kClock * kPeakShare * tile.share);
    const double seconds = rounds * addition * static_cast<double>(nest.count) / parts;
    if (least == 0 || seconds < least) least = seconds;
  }
  return parts == 1 ? least : kPartOverhead * least;
}

}  // namespace

int ChoosePartCount(const SumNest& nest, v1::ElementType type, const DeviceFacts& device) {
  if (device.memory_bandwidth <= 0 || device.multiprocessors <= 1 || nest.count < 2 * kLeastCount) return 1;
  const double places = static_cast<double>(nest.row_count) * static_cast<double>(nest.column_count);
  if (places < EnoughInstances(device)) return 1;  // threads of a block share the sums
  if (kTiles[0].CountOf(nest) > kManyRounds * device.multiprocessors) return 1;
  const double bytes = places * static_cast<double>(ElementSize(type));
  const auto seconds = [&](int parts) {
    const double computing = ComputingSeconds(nest, parts, type, device);
    if (parts == 1) return computing;
    return computing + 2 * parts * bytes / (kBandwidthShare * device.memory_bandwidth) + kLaunchSeconds;
  };
  int best = 1;
  for (int parts = 2; parts <= kMostParts && nest.count / parts >= kLeastCount; ++parts) {
    if (seconds(parts) < seconds(best)) best = parts;
  }
  return seconds(best) < (1 - kLeastGain) * seconds(1) ? best : 1;
}

}  // namespace tune
