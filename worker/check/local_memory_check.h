// Do references that go through shared memory and registers meet the elements that they mean?
#pragma once

#include "worker/check/placement.h"

namespace tune {

// OK when
//   every promoted reference, at every instance, has an index inside its tile;
//   the fill of shared tiles that ran last before the instance put the reference's element at that index, and
//   no thread of the launch writes that element;
//   a register tile is loaded before and stored after the instances that use it, each element once, from and
//   to the element that they mean; no element is stored by two threads of a launch, or met by another
//   reference between its load and its store;
//   every barrier is met by all threads of a block.
// Otherwise FAILED_PRECONDITION with the kernel, the reference and an example. Throws isl::exception.
absl::Status CheckLocalMemory(const KernelPlacement& placement, const ParsedScop& scop,
                              const isl::set& values);

}  // namespace tune
