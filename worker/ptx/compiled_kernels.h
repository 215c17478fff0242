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

// What somebody says of the loop on a line of a source.
struct SourceTrips {
  std::string file;  // the end of its path as the PTX has it
  int line = 0;
  double trips = 0;  // on average, each time that it is entered
};

struct CompiledKernels {
  std::string ptx;
  std::string cubin;  // of the device that the metrics are for
  std::vector<KernelLaunches> launches;
  std::vector<SourceTrips> trips = {};  // counts where the PTX has line information
};

// In the order of the first launches of their kernels. A kernel that is launched with many sizes, as the
// shrinking ones of a factorisation, is looked at with some of them, each of which stands for those next to
// it. Errors: those of ReadPtx, ReadCubinResources and AnalyseKernel; INVALID_ARGUMENT: no launches, or a
// kernel that the cubin does not have.
absl::StatusOr<std::vector<KernelAnalysis>> AnalyseKernels(const CompiledKernels& kernels,
                                                           const DeviceFacts& device,
                                                           PtxAnalysisOptions options = {});

}  // namespace tune
