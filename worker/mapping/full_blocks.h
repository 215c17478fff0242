// Blocks whose threads need no conditions, apart from the others.
#pragma once

#include "worker/mapping/block_of_kernel.h"
#include "worker/mapping/promotion.h"

namespace tune {

// The parameters of the blocks in which every point of every thread has an instance, and of the others,
// without what the block's context says of both; a part without instances is left out. Throws isl::exception.
std::vector<isl::set> FullAndPartialBlocks(const BlockOfKernel& block, const BlockInstances& instances);

}  // namespace tune
