#include "worker/codegen/shared_layout.h"

#include "common/array/element_type.h"

namespace tune {

SharedLayout LayOutShared(const MappedKernel& kernel, const ParsedScop& scop) {
  SharedLayout layout;
  for (const LocalTile& tile : kernel.memory.tiles) {
    layout.offsets.push_back(tile.shared ? layout.bytes : 0);
    if (!tile.shared) continue;
    int64_t elements = kernel.plan->buffers * tile.row_length;
    for (size_t i = 0; i + 1 < tile.extents.size(); ++i) elements *= tile.extents[i];
    layout.bytes +=
        AlignedBytes(elements * static_cast<int64_t>(ElementSize(scop.array(tile.array).element_type())));
  }
  return layout;
}

}  // namespace tune
