// What CUDA allows on every device, and what limits of ours there are.
#pragma once

#include <cstdint>

namespace tune {

constexpr int64_t kWarp = 32;        // threads
constexpr int64_t kMostInZ = 64;     // CUDA's limit on blockDim.z
constexpr int64_t kMostPoints = 64;  // of a thread, ours
// The same where tensor cores take terms of halves, which need few registers.
constexpr int64_t kMostPointsOfHalves = 128;
// Points in all copies of an unrolled loop's body, ours: more take minutes to compile.
constexpr int64_t kMostUnrolled = 1024;
constexpr int64_t kMostBlocksInYZ = 65535;
constexpr int64_t kMostBlocks = INT32_MAX;

}  // namespace tune
