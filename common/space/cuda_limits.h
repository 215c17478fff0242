// What CUDA and its devices allow, and what a walk has left of it.
#pragma once

#include <cstdint>

namespace tune {

constexpr int64_t kWarp = 32;  // threads
constexpr int64_t kMostThreadsOfBlock = 1024;
constexpr int64_t kMostInZ = 64;                   // CUDA's limit on blockDim.z
constexpr double kThreadsOfMultiprocessor = 2048;  // that it holds at once
constexpr int64_t kBlocksOfMultiprocessor =
    32;                              // that it holds at once, however small (compute capability 9)
constexpr int64_t kMostPoints = 64;  // of a thread, ours
// Points in all copies of an unrolled loop's body, ours: more take minutes to compile.
constexpr int64_t kMostUnrolled = 512;
// Shared memory that the device takes for itself from each block on a multiprocessor.
constexpr int64_t kReservedSharedBytes = 1 << 10;

// Threads and points that are not given away yet.
struct CudaBudget {
  int64_t threads;  // of a block
  int64_t points;   // of a thread
};

}  // namespace tune
