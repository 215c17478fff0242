// Blocks whose threads need no conditions, apart from the others.
#pragma once

#include "worker/mapping/block_of_kernel.h"
#include "worker/mapping/promotion.h"

namespace tune {

// The block's instances, { S } each: of blocks in which every point of every thread has an instance, and of
// the others; empty parts are left out. Throws isl::exception.
std::vector<isl::union_set> FullAndPartialBlocks(const BlockOfKernel& block, const BlockInstances& instances);

}  // namespace tune
