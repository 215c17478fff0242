// Which references of a kernel go through registers (PPCG: Verdoolaege et al., "Polyhedral parallel code
// generation for CUDA", TACO 2013, section 5).
#pragma once

#include "common/mapping/block_instances.h"

namespace tune {

// Tiles in registers of arrays that the kernel writes, where every reference touches one element for each
// point of a thread, and no two points touch the same; but for targets of copies within the array, as of a
// symmetric matrix, that no other point touches, and for `constant_reads`, the kernel's, which touch other
// elements; `own_instances`: those of the scop, which it is that must do so. Adds tiles and references.
// Throws isl::exception.
void PromoteToRegisters(const BlockInstances& block, const std::vector<ReferenceName>& constant_reads,
                        const isl::union_set& own_instances, LocalMemory* memory);

}  // namespace tune
