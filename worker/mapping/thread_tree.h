// What the threads of one block run, as a schedule tree.
#pragma once

#include "common/scop/scop.h"
#include "common/space/cuda_space.h"
#include "worker/mapping/local_memory.h"

namespace tune {

// Everything about one kernel that the tree is made of. { S } are the instances of one block of one launch.
struct BlockOfKernel {
  const CudaKernelPlan* plan = nullptr;
  const Kernel* kernel = nullptr;
  const ParsedScop* scop = nullptr;
  isl::schedule tree;     // the whole one, with the kernel's mark
  isl::union_set domain;  // { S }, in terms of the block's coordinates
  isl::set context;       // of those coordinates
  // Names of the parameters for the block's and the thread's coordinate along an axis, before its number.
  std::string block_id, thread_id;
  int64_t max_shared_bytes = 0;
};

// Replaces the kernel's root band. From the outside in, where they are asked for and possible:
//   blocks all of whose points have instances | other blocks   (a sequence: no condition is left inside the
//   first) load registers | tiles of the members that are not mapped | store registers fill shared memory the
//   thread's instances (a filter) the members that are not mapped, then the thread's points
// or, where there are bands below the root band, points before members. Fills `memory`. Throws isl::exception
// and std::logic_error when plan and tree do not fit.
isl::schedule MakeThreadTree(const BlockOfKernel& block, LocalMemory* memory);

// The node just below the mark of the kernel called `name`.
isl::schedule_node FindKernel(const isl::schedule& tree, const std::string& name);

}  // namespace tune
