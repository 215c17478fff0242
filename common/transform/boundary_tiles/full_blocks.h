// Blocks whose threads need no conditions, apart from the others.
#pragma once

#include <optional>

#include "common/mapping/block_instances.h"
#include "common/mapping/block_of_kernel.h"

namespace tune {

// Parameters of a block, without what its context says of all blocks.
struct BlockParts {
  isl::set full;     // every point of every thread has an instance
  isl::set partial;  // the others
};

// Nothing when all blocks are full or none is. Throws isl::exception.
std::optional<BlockParts> FullAndPartialBlocks(const BlockOfKernel& block, const BlockInstances& instances);

}  // namespace tune
