// The decisions about a kernel of the `cpu` target that is a product.
#pragma once

#include "common/space/cpu_space.h"

namespace tune {

// Whether register tiles are worth their packing by default.
bool IsLargeProduct(const KernelProduct& product);

// Asks `.register_tile`, none, ROWSxVECTORS or fitted, the default of large products, whose tile the compiler
// takes from the machine's vector registers; with none what WalkCpuKernel asks of written loops, else, in
// this order, `.k_block`, `.i_block` and `.j_block` (ProductBlocks), `.parallel`, whether blocks run in
// parallel, and `.threads`. Precondition: kernel.product. Pure: uses the kernel's facts alone.
absl::StatusOr<CpuKernelPlan> WalkCpuProduct(const Kernel& kernel, const CpuSpaceOptions& options,
                                             Chooser& chooser);

}  // namespace tune
