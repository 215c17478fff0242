#include "common/carving/efficiency.h"

#include <algorithm>

namespace tune {
namespace {

// Other warps of the multiprocessor that can run while one waits. Of its own block half of them: where it
// waits at a barrier, the others have to arrive there too.
double IndependentWarps(const KernelMetrics& kernel) {
  const double warps = static_cast<double>(kernel.warps_per_block);
  const double blocks = static_cast<double>(kernel.blocks_per_multiprocessor);
  return (warps - 1) / 2 + (blocks - 1) * warps;
}

}  // namespace

double Efficiency(const StaticMetrics& metrics) {
  const double executed = ExecutedInstructions(metrics);
  return executed > 0 ? 1 / executed : 0;
}

double Utilization(const StaticMetrics& metrics) {
  double regions = 0, warps = 0;
  for (const KernelMetrics& kernel : metrics.kernels) {
    if (kernel.blocks_per_multiprocessor <= 0) return 0;
    const double of_kernel = std::max(kernel.regions, 1.0) * kernel.threads * kernel.launches;
    regions += of_kernel;
    warps += of_kernel * IndependentWarps(kernel);
  }
  return regions > 0 ? ExecutedInstructions(metrics) / regions * (warps / regions) : 0;
}

}  // namespace tune
