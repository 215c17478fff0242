// What the threads of one block run, as a schedule tree.
#pragma once

#include "worker/mapping/block_of_kernel.h"
#include "worker/mapping/local_memory.h"

namespace tune {

// Replaces the kernel's root band. From the outside in, where they are asked for and possible:
//   blocks all of whose points have instances | other blocks (a sequence: no condition is left inside the
//   first)
//   load registers | tiles of the members that are not mapped | store registers
//   fill shared memory
//   the thread's instances (a filter)
//   the members that are not mapped, then the thread's points
// or, where there are bands below the root band, points before members; a kernel with a reduction gets the
// tree of reduction_tree.h. A kernel that works on shared memory and registers alone may run instances that
// are none of the scop's, so that every tile is a full one (padding.h). Fills `memory`. Throws isl::exception
// and std::logic_error when plan and tree do not fit.
isl::schedule MakeThreadTree(const BlockOfKernel& block, LocalMemory* memory);

}  // namespace tune
