// What a launch sequence would launch, without a device.
#pragma once

#include <vector>

#include "common/base/status.h"
#include "worker/build/compiler.h"
#include "worker/print/cuda_program.h"
#include "worker/ptx/compiled_kernels.h"

namespace tune {

// Runs the program's launch sequence in a sandbox, with a function in the driver's place that writes down
// what it is asked for; launches that are alike and follow each other are one entry. Values of a kernel's
// parameters are known where the sequence computes them: no arrays, and no scalars of the region, are there.
// `module`: the kernels' PTX, which tells their parameters. INVALID_ARGUMENT: a kernel that is not in it;
// INTERNAL: the sequence cannot be compiled or does not end well; RESOURCE_EXHAUSTED: it launches too much;
// CANCELLED.
absl::StatusOr<std::vector<KernelLaunches>> RecordLaunches(const CudaProgram& program,
                                                           const PtxModule& module, Compiler* host,
                                                           const CompileLimits& limits);

}  // namespace tune
