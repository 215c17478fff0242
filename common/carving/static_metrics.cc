#include "common/carving/static_metrics.h"

namespace tune {
namespace {

// Of `a_thread` of each kernel, over all threads of all its launches.
double Total(const StaticMetrics& metrics, double KernelMetrics::*a_thread) {
  double total = 0;
  for (const KernelMetrics& kernel : metrics.kernels)
    total += kernel.*a_thread * kernel.threads * kernel.launches;
  return total;
}

}  // namespace

double ExecutedInstructions(const StaticMetrics& metrics) {
  return Total(metrics, &KernelMetrics::instructions);
}

double MovedBytes(const StaticMetrics& metrics) { return Total(metrics, &KernelMetrics::moved_bytes); }

double UncoalescedShare(const StaticMetrics& metrics) {
  const double accesses = Total(metrics, &KernelMetrics::global_accesses);
  return accesses > 0 ? Total(metrics, &KernelMetrics::uncoalesced_accesses) / accesses : 0;
}

}  // namespace tune
