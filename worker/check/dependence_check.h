// Does the mapped program respect the dependences?
#pragma once

#include "common/dependence/dependence.h"
#include "worker/check/placement.h"

namespace tune {

// OK when every dependence, but for the orderings in MappedKernel::relaxed between updates of one launch that
// go to tiles of partial values,
//   goes forward in the host tree, when its instances run in different launches;
//   through an element of a reduction of the block is respected as reduction_check.h says;
//   connects no two blocks of one launch, nor two tiles of one (tile_loops_check.h);
//   has a barrier of the whole block between its instances, when these run on different threads of a block;
//   goes forward in the thread's tree, when they run on one thread.
// Otherwise FAILED_PRECONDITION with the kernel and an example. `placements`, of all kernels, are those of a
// program that CheckPlacements accepts. Throws isl::exception.
absl::Status CheckDependences(const std::vector<KernelPlacement>& placements, const MappedProgram& program,
                              const ParsedScop& scop, const Dependences& dependences, const isl::set& values);

}  // namespace tune
