// How many blocks of a kernel a multiprocessor holds at once.
#pragma once

#include <cstdint>

#include "common/device/device_facts.h"

namespace tune {

inline constexpr int64_t kWarpThreads = 32;

// What a block of a compiled kernel takes.
struct BlockResources {
  int64_t threads = 1;
  int64_t registers = 0;     // of a thread, of 32 bits
  int64_t shared_bytes = 0;  // of the block, those that its launch asks for included
};

int64_t WarpsOf(int64_t threads);

// What cuOccupancyMaxActiveBlocksPerMultiprocessor says, without a driver, where all of a multiprocessor's
// shared memory is for blocks. 0: a launch of such blocks fails.
int64_t BlocksPerMultiprocessor(const BlockResources& block, const DeviceFacts& device);

}  // namespace tune
