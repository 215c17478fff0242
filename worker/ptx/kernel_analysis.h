// A kernel's static metrics, from its PTX, what its binary takes, and its launch; no device is needed.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/carving/static_metrics.h"
#include "common/device/device_facts.h"
#include "common/device/occupancy.h"
#include "worker/ptx/coalescing.h"
#include "worker/ptx/execution_counts.h"
#include "worker/ptx/ptx_module.h"

namespace tune {

// What the text does not tell of the compiled kernel and its launch.
struct KernelResources {
  int64_t registers = 0;             // of a thread; cubin_resources.h reads them
  int64_t dynamic_shared_bytes = 0;  // that the launch asks for
};

struct AnalysedAccess {
  GlobalAccess access;
  bool is_load = true;
  int line = 0;           // of the PTX
  int source_line = 0;    // 0: not known
  double executions = 0;  // by a thread, on average
};

struct KernelAnalysis {
  KernelMetrics metrics;
  // What is behind the metrics, and how sure they are.
  std::vector<LoopTrips> loops;
  std::vector<AnalysedAccess> accesses;
  int unknown_branches = 0;     // each way is counted half
  int calls = 0;                // of functions; each is counted as one instruction
  bool is_irreducible = false;  // jumps into loops were not followed
  // Whether every loop's count, branch and call is known or given by the user.
  bool IsSure() const;
};

// `launches` of `launch` each. Instructions of a thread are those of the PTX, a multiplication as the options
// say. INVALID_ARGUMENT: no such kernel, extents below 1 or beyond what a launch can have, a branch to
// nowhere. RESOURCE_EXHAUSTED: a kernel larger than can be looked at.
absl::StatusOr<KernelAnalysis> AnalyseKernel(const PtxModule& module, const std::string& kernel,
                                             const PtxLaunch& launch, double launches,
                                             const KernelResources& resources, const DeviceFacts& device,
                                             const PtxAnalysisOptions& options = {});

}  // namespace tune
