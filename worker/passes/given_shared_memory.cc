#include "worker/passes/given_shared_memory.h"

#include "common/array/element_type.h"

namespace tune {

void LayOutGivenMemory(DeviceKernel* kernel) {
  for (Tile& tile : kernel->tiles) {
    if (!tile.shared) continue;
    tile.offset = kernel->given_shared_bytes;
    kernel->given_shared_bytes += AlignedBytes(tile.Bytes());
  }
}

int64_t SharedBytes(const DeviceKernel& kernel) {
  int64_t bytes = 0;
  for (const Tile& tile : kernel.tiles) {
    if (tile.shared) bytes += AlignedBytes(tile.Bytes());
    if (tile.combined_by != v1::NONE)
      bytes += kernel.ThreadCount() * static_cast<int64_t>(ElementSize(tile.type));
  }
  return bytes;
}

}  // namespace tune
