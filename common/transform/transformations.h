// The lists of transformations, and what they do as a whole.
#pragma once

#include "common/transform/cuda_transformation.h"
#include "common/transform/openmp_transformation.h"
#include "common/transform/scop_transformation.h"

namespace tune {

// Those of the scop itself, for `cuda`, in the order in which each changes what the one before made: a
// temporary that all iterations share would hold pieces in order as it does the whole.
const std::vector<const ScopTransformation*>& ScopTransformations();

// Those of the `cuda` target, in the order in which they decide and, in each step, are applied.
const std::vector<const CudaTransformation*>& CudaTransformations();

// Those of the `cpu` target, in the same way.
const std::vector<const OpenMpTransformation*>& OpenMpTransformations();

// Asks all that there is to decide of one kernel. Pure: uses the kernel's facts and the device's alone.
// `threads_beside`: as in KernelSite. Errors: the chooser's.
absl::StatusOr<KernelPlan> DecideKernel(const Kernel& kernel, const DeviceFacts& device, bool exact,
                                        Chooser& chooser, MatrixProducts products = {},
                                        int64_t threads_beside = 0);

// KernelSite::threads_beside, of the kernel that is the `number`th of all.
int64_t ThreadsBeside(const std::vector<Kernel>& kernels, size_t number, const DeviceFacts& device,
                      bool exact);

// The same on the host. `written`: as in HostKernelSite.
absl::StatusOr<HostKernelPlan> DecideHostKernel(const Kernel& kernel, int hardware_threads, bool written,
                                                Chooser& chooser);

// Asks what is to be decided of all kernels together. Errors: the chooser's.
absl::Status DecideTogether(const std::vector<Kernel>& kernels, const DeviceFacts& device, Chooser& chooser,
                            std::vector<KernelPlan>* plans, Decisions* together);

// Asks each transformation whether the kernel is what was decided. FAILED_PRECONDITION with its name.
absl::Status CheckDecisions(const KernelPass& pass, const DeviceKernel& kernel);

}  // namespace tune
