// Blocks whose threads need no conditions, apart from the others.
#pragma once

#include <optional>

#include "worker/mapping/block_of_kernel.h"
#include "worker/mapping/promotion.h"

namespace tune {

// The parameters of the blocks in which every point of every thread has an instance, without what the block's
// context says of all; nothing when that is so in all blocks or in none. Throws isl::exception.
std::optional<isl::set> FullBlocks(const BlockOfKernel& block, const BlockInstances& instances);

}  // namespace tune
