// Loops and tiles of threads that keep rows in registers (thread_rows.h).
#pragma once

#include <string>
#include <vector>

#include "common/mapping/block_instances.h"
#include "common/mapping/thread_nest.h"

namespace tune {

// Both throw isl::exception.

// The serial loops become loops over points, which are unrolled as a whole and count from the first iteration
// of the thread.
void TurnIntoPoints(const BlockOfKernel& block, ThreadNest* nest);

// Adds a tile in registers for the elements of the array that a thread touches, but by `constant_reads`.
void AddRowTile(const BlockInstances& block, const std::string& array,
                const std::vector<ReferenceName>& constant_reads, LocalMemory* memory);

}  // namespace tune
