// All kernels of a configuration as they were compiled, with their launches, to static metrics. Who builds
// kernels of another origin fills CompiledKernels; nothing else is needed of them.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "worker/ptx/kernel_analysis.h"

namespace tune {

// Launches of a kernel that are all alike.
struct KernelLaunches {
  std::string kernel;  // its function
  PtxLaunch launch;
  int64_t dynamic_shared_bytes = 0;
  double count = 1;
};

struct CompiledKernels {
  std::string ptx;
  std::string cubin;  // of the device that the metrics are for
  std::vector<KernelLaunches> launches;
};

// In the order of the first launches of their kernels. A kernel that is launched with many sizes, as the
// shrinking ones of a factorisation, is looked at with some of them, each of which stands for those next to
// it. Errors: those of ReadPtx, ReadCubinResources and AnalyseKernel; INVALID_ARGUMENT: no launches, or a
// kernel that the cubin does not have.
absl::StatusOr<std::vector<KernelAnalysis>> AnalyseKernels(const CompiledKernels& kernels,
                                                           const DeviceFacts& device,
                                                           const PtxAnalysisOptions& options = {});

}  // namespace tune
