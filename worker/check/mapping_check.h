// Exact checks of a mapped CUDA program, in place of a device: does it compute what the region computes?
#pragma once

#include <map>
#include <string>

#include "common/dependence/dependence.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// OK when
//   each instance of `scop` runs exactly once, over all launches, blocks and threads (placement_check.h);
//   every dependence is respected between launches, blocks and threads and inside threads, but for the
//   orderings in MappedKernel::relaxed (dependence_check.h);
//   references through shared memory and registers meet their elements (local_memory_check.h);
//   loops stay within what their marks say of them (loop_mark_check.h).
// Reads the program's schedule trees and tiles, symbolic in host loops, blocks and threads, and knows nothing
// of how they were made. Otherwise FAILED_PRECONDITION that names the kernel, the dependence or reference and
// an example. RESOURCE_EXHAUSTED, when the context's limits do not allow an answer, says nothing about the
// program. `program` was mapped with these `parameter_values` and `ids`.
absl::Status CheckMapping(IslContext& context, const MappedProgram& program, const ParsedScop& scop,
                          const Dependences& dependences,
                          const std::map<std::string, int64_t>& parameter_values, const CudaIds& ids);

}  // namespace tune
