#include "common/carving/whole_device.h"

#include <algorithm>
#include <cmath>

namespace tune {
namespace {

constexpr double kWarpSize = 32;

void SpreadBlocks(const Multiprocessors& multiprocessors, KernelMetrics* kernel) {
  const double warps = static_cast<double>(std::max<int64_t>(kernel->warps_per_block, 1));
  const double blocks = std::ceil(kernel->threads / (warps * kWarpSize));
  const double most = std::ceil(blocks / multiprocessors.count);  // of a multiprocessor
  const double executed = std::max(most * warps, static_cast<double>(multiprocessors.schedulers));
  kernel->threads = executed * kWarpSize * multiprocessors.count;
  if (most < static_cast<double>(kernel->blocks_per_multiprocessor))
    kernel->blocks_per_multiprocessor = static_cast<int64_t>(most);
}

}  // namespace

StaticMetrics OnWholeDevice(StaticMetrics metrics, const Multiprocessors& multiprocessors) {
  if (multiprocessors.count <= 0) return metrics;
  for (KernelMetrics& kernel : metrics.kernels) {
    if (kernel.threads > 0) SpreadBlocks(multiprocessors, &kernel);
  }
  return metrics;
}

}  // namespace tune
