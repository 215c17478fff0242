// What CUDA allows on every device, and what a walk has left of its limits.
#pragma once

#include <cstdint>

namespace tune {

constexpr int64_t kWarp = 32;        // threads
constexpr int64_t kMostInZ = 64;     // CUDA's limit on blockDim.z
constexpr int64_t kMostPoints = 64;  // of a thread, ours
// Points in all copies of an unrolled loop's body, ours: more take minutes to compile.
constexpr int64_t kMostUnrolled = 512;

// Threads and points that are not given away yet.
struct CudaBudget {
  int64_t threads;  // of a block
  int64_t points;   // of a thread
};

}  // namespace tune
