#include "common/device/occupancy.h"

#include <algorithm>
#include <limits>

namespace tune {
namespace {

// As cuda_occupancy.h of the CUDA toolkit has them for compute capability 3.0 and later.
constexpr int64_t kRegistersAtOnce = 256;  // that a warp gets
constexpr int64_t kMostRegistersOfThread = 255;
constexpr int64_t kSharedBytesAtOnce = 256;     // that a block gets before 8.0
constexpr int64_t kSharedBytesAtOnceOf8 = 128;  // from 8.0

int64_t RoundedUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Each has its part of the registers, and whole warps.
int64_t Schedulers(const DeviceFacts& device) {
  return device.compute_capability_major == 6 && device.compute_capability_minor == 0 ? 2 : 4;
}

int64_t WithinRegisters(const BlockResources& block, const DeviceFacts& device) {
  if (block.registers == 0) return std::numeric_limits<int64_t>::max();
  const int64_t of_warp = RoundedUp(block.registers * kWarpThreads, kRegistersAtOnce);
  const int64_t schedulers = Schedulers(device);
  return device.registers_per_multiprocessor / schedulers / of_warp * schedulers / WarpsOf(block.threads);
}

int64_t WithinSharedMemory(const BlockResources& block, const DeviceFacts& device) {
  const int64_t unit = device.compute_capability_major >= 8 ? kSharedBytesAtOnceOf8 : kSharedBytesAtOnce;
  const int64_t bytes = RoundedUp(block.shared_bytes + device.reserved_shared_bytes_per_block, unit);
  return bytes == 0 ? std::numeric_limits<int64_t>::max() : device.shared_bytes_per_multiprocessor / bytes;
}

}  // namespace

int64_t WarpsOf(int64_t threads) { return (threads + kWarpThreads - 1) / kWarpThreads; }

int64_t BlocksPerMultiprocessor(const BlockResources& block, const DeviceFacts& device) {
  if (block.threads < 1 || block.threads > device.max_threads_per_block) return 0;
  if (block.registers < 0 || block.registers > kMostRegistersOfThread) return 0;
  const int64_t most_shared = std::max(device.shared_bytes_per_block, device.shared_bytes_per_block_optin);
  if (block.shared_bytes < 0 || block.shared_bytes > most_shared) return 0;
  const int64_t within_threads =
      device.max_threads_per_multiprocessor / kWarpThreads / WarpsOf(block.threads);
  return std::min({int64_t{device.max_blocks_per_multiprocessor}, within_threads,
                   WithinRegisters(block, device), WithinSharedMemory(block, device)});
}

}  // namespace tune
