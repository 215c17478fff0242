// Which references of a kernel go through shared memory (PPCG: Verdoolaege et al., "Polyhedral parallel code
// generation for CUDA", TACO 2013, section 5).
#pragma once

#include "common/mapping/block_instances.h"

namespace tune {

// Tiles in shared memory of arrays that the kernel only reads, where elements are read more than once, or
// other threads than those that read them help to fetch them, or neighbours along x read columns of several
// rows, and fit boxes of constant size; the one with the most bytes for each of its references first does
// without when all together need more than `most_bytes`. Where threads that are neighbours along x touch a
// column of the array, it is a row of the tile.
// Adds tiles and references. Throws isl::exception.
void PromoteToShared(const BlockOfKernel& kernel, const BlockInstances& block, int64_t most_bytes,
                     LocalMemory* memory);

}  // namespace tune
