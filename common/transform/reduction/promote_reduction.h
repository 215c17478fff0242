// Where the partial values of a reduction that threads share stand.
#pragma once

#include "common/mapping/block_instances.h"

namespace tune {

// Tiles in registers for the partial values of the reduction's updates, one element a point of a thread. Adds
// tiles, and references, in place of those to other tiles. Throws isl::exception.
void PromoteReduction(const BlockInstances& block, const KernelReduction& reduction, LocalMemory* memory);

}  // namespace tune
