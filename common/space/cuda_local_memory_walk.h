// The decisions about what of a kernel's data stands in shared memory and registers.
#pragma once

#include "common/space/cuda_limits.h"
#include "common/space/cuda_space.h"

namespace tune {

// Iterations of the longest member of the kernel's band that is not mapped; 0: there is none.
int64_t LongestOfBand(const Kernel& kernel, const CudaKernelPlan& plan, size_t band);

// Of the root band.
int64_t LongestSerialMember(const Kernel& kernel, const CudaKernelPlan& plan);

// Whether a sum is long, has to keep its order, and there are too few of its kind to fill the device: its
// threads would wait for memory most of the time.
bool WaitsForTerms(const Kernel& kernel, const CudaKernelPlan& plan, const CudaSpaceOptions& options);

// For kernels whose root band is innermost and whose threads do not share a reduction, asks, in this order:
// `shared`, whether tiles of what is only read stand in shared memory, and whether in as much of it as the
// device allows on request (opt_in); `fill_threads`, how many threads there are to fill them for each one
// that runs instances, where there are long serial loops and few such threads (by default as many as make
// blocks of 512 where it WaitsForTerms); `inner_tile`, the iterations of a serial loop for which a tile is
// filled; `buffers`, whether there are two of each tile; `registers`, whether elements that are written stay
// there. Needs the plan's axes, takes from the budget. Errors: the chooser's.
absl::Status ChooseLocalMemory(const Kernel& kernel, const CudaSpaceOptions& options, CudaBudget& budget,
                               Chooser& chooser, CudaKernelPlan& plan);

}  // namespace tune
