// What the threads of one block run of a kernel whose reduction they share out.
#pragma once

#include "common/mapping/block_of_kernel.h"
#include "common/mapping/local_memory.h"

namespace tune {

// Replaces the kernel's root band, `band`, by a sequence of
//   the statements before the reduction, in its first thread
//   the thread's share of the reduction, into a partial value of its own
//   combination of the partial values of one place, by all threads of the block
//   update of the element by the combined value, in the first thread
//   the statements after the reduction, in the first thread.
// The first thread alone writes and reads the elements, in registers where it can, so no barrier is needed
// for them. Fills `memory`. Throws isl::exception.
isl::schedule MakeReductionTree(const BlockOfKernel& block, const isl::schedule_node& band,
                                LocalMemory* memory);

}  // namespace tune
