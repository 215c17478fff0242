#include "common/transform/shared_memory/given_shared_memory.h"

#include "common/array/element_type.h"

namespace tune {

void LayOutGivenMemory(DeviceKernel* kernel) {
  for (Tile& tile : kernel->tiles) {
    if (!tile.shared) continue;
    tile.offset = kernel->given_shared_bytes;
    kernel->given_shared_bytes += AlignedBytes(tile.Bytes());
  }
}

}  // namespace tune
