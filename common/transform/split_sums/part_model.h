// The estimate by which sums are split, as numbers: of a nest, and of all.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/device_facts.h"
#include "common/transform/split_sums/sum_nest.h"

namespace tune {

// Blocks that registers leave room for on a multiprocessor.
inline constexpr int64_t kBlocksAtOnce = 3;
inline constexpr int64_t kLeastCount = 256;  // of a part's additions to an element
inline constexpr double kLeastGain = 0.05;
inline constexpr double kLaunchSeconds = 4e-6;
// The first and the last tile of a part's sum are filled while nothing is computed.
inline constexpr double kPartOverhead = 1.03;
// So many blocks of the largest tile for each multiprocessor that no round is much emptier than others.
inline constexpr int64_t kManyRounds = 16, kLargestRows = 128, kLargestColumns = 64;
// What part of its speed a multiprocessor reaches with so many warps, at most 1: the first number and the
// second one for each (H100, float, products of 1,536 to 3,584 x 2,600 and 2,600 x 2,300: one block of four
// warps takes 0.20 ms, two 0.32 ms and three 0.46 ms).
inline constexpr double kSpeedOfNoWarp = 0.57, kSpeedOfWarp = 0.047;

// What of the estimate does not depend on rows, columns and additions.
struct PartModel {
  struct Tile {
    int64_t rows, columns, warps;  // of a block
    double addition;               // seconds of a multiprocessor to add one term to each of its elements
  };
  std::vector<Tile> tiles;   // that a sum's kernel may have; the fastest counts
  int sums = 1;              // of an element, which blocks of their own add up
  double additions = 1;      // of each of them, for each of SumNest::count
  double whole = 1;          // how many times as long the sums take that are not split
  double place_seconds = 0;  // a place's partial sum of one range goes to memory and comes back
};

// `terms_apart`: as in SumParts. Precondition: the device's bandwidth is known.
PartModel ModelOfParts(const SumNest& nest, bool terms_apart, v1::ElementType type,
                       const DeviceFacts& device);

}  // namespace tune
