// How a nest's sums are best split.
#pragma once

#include <cstdint>

#include "common/device/device_facts.h"
#include "common/transform/split_sums/sum_nest.h"

namespace tune {

// Partial sums of a nest, which another launch adds up.
struct SumParts {
  int ranges = 0;            // of the additions to an element, after each other; 0: there are no partial sums
  bool terms_apart = false;  // each term of what is added has its own

  bool AreThere() const { return ranges > 0; }
};

// The most ranges.
inline constexpr int kMostParts = 8;
// Iterations of a part are a multiple of it, so that tiles are whole.
inline constexpr int64_t kPartRounding = 32;
// So many iterations of `count` has a part, of so many ranges, but for the last one.
inline int64_t PartSize(int64_t count, int ranges) {
  const int64_t least = (count + ranges - 1) / ranges;
  return (least + kPartRounding - 1) / kPartRounding * kPartRounding;
}

// The parts with which the nest takes the least time on the device, by an estimate; none where there is
// little to gain, or nothing is known of the device. With parts the last blocks of a launch leave less of the
// device idle, what all terms are multiplied by is done once, a term's sums have room for more points of a
// thread, and the loops of sums that begin at different times hold nothing else. `type`: of the sums.
SumParts ChooseParts(const SumNest& nest, v1::ElementType type, const DeviceFacts& device);

}  // namespace tune
