// Where the tiles of a kernel lie in its shared memory.
#pragma once

#include <vector>

#include "worker/mapping/cuda_mapper.h"

namespace tune {

struct SharedLayout {
  // Bytes before each tile, of which all copies lie together; parallel to LocalMemory::tiles, 0 for those in
  // registers.
  std::vector<int64_t> offsets;
  int64_t bytes = 0;  // of all
};

// Tiles begin at multiples of kTileAlignment.
SharedLayout LayOutShared(const MappedKernel& kernel, const ParsedScop& scop);

}  // namespace tune
