// Boundary tiles that run in full all the same.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "common/mapping/block_of_kernel.h"
#include "common/mapping/local_memory.h"

namespace tune {

// A kernel whose statements work on shared memory and registers alone needs no conditions in its loops where
// a tile reaches over the edge of the arrays: it may compute values that are not stored. What is copied in
// and out remains what the instances of the scop touch.

// The block with the instances added that fill its tile up: each statement but those of `kept` has every
// point of the tile, and at each one all that its instances do along the members that are not mapped. Nothing
// where none are added, or where a statement does not do the same at every point at which some statement has
// an instance, so that what is added could touch what is stored. Throws isl::exception.
std::optional<BlockOfKernel> Pad(const BlockOfKernel& block, const std::set<std::string>& kept);

// A tree for the instances of `padded` in place of the one below `band`, the kernel's root band, which is not
// part of it: the node around which a thread's loops go. Nothing when there is more below the band than an
// order of statements. Throws isl::exception.
std::optional<isl::schedule_node> PaddedTree(const isl::schedule_node& band, const BlockOfKernel& block,
                                             const BlockOfKernel& padded);

// The kernel's statements that may not have instances added, because these would touch what is not local. In
// all others each access is to a tile or reads a scalar, the values are floating point, so that nothing can
// go wrong with them, and are written to registers.
std::set<std::string> NotLocal(const BlockOfKernel& block, const LocalMemory& memory);

}  // namespace tune
