// Into how many parts the iterations that look for an extremum are split.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/device_facts.h"

namespace tune {

struct PartLimits {
  int64_t least = 2048;     // iterations of a nest that is worth parts
  int64_t most = 64 << 10;  // parts
  int64_t each = 16;        // iterations of a part, at least
  int64_t neighbours = 32;  // of which the parts of an innermost loop with many are a multiple
  int64_t joined = 32;      // parts that a step makes one of; of twice as many it makes the last one
};

// So many parts that each thread of the device has one.
PartLimits PartLimitsOf(const DeviceFacts& device);

// Parts of each of the nest's loops, outermost first, whose product are the parts of the whole; `counts`: the
// loops' iterations. Inner loops are split first, as neighbours in these mostly read neighbouring elements.
// Empty: the nest is not worth it.
std::vector<int64_t> PartsOfLoops(const std::vector<int64_t>& counts, const PartLimits& limits);

// How many parts are left after each step, in which each thread takes the best of several; the last one is 1.
std::vector<int64_t> WidthsOfSteps(int64_t parts, const PartLimits& limits);

}  // namespace tune
