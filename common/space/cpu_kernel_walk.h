// The decisions about one kernel of the `cpu` target.
#pragma once

#include "common/space/cpu_space.h"

namespace tune {

// Asks, in this order, each key after the kernel's name: `.tile_size_N` for the members of its root band
// and `.bI.tile_size_N` for those of band I below, `.parallel`, `.threads`, `.unroll`, `.simd`; each only
// when it can make a difference. Loops that are the region's own (`written`) are not tiled by default. Pure:
// uses the kernel's facts alone.
absl::StatusOr<CpuKernelPlan> WalkCpuKernel(const Kernel& kernel, bool written,
                                            const CpuSpaceOptions& options, Chooser& chooser);

// Asks `.parallel`, the member of the kernel's root band whose iterations run in parallel (`first_only`: none
// or the first that can), and `.threads`, where the device has several. Sets the plan's members of these
// names.
absl::Status ChooseCpuParallel(const Kernel& kernel, const CpuSpaceOptions& options, bool first_only,
                               CpuKernelPlan& plan, Chooser& chooser);

}  // namespace tune
