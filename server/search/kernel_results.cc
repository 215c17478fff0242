#include "server/search/kernel_results.h"

namespace tune {

absl::string_view KernelOfKey(absl::string_view key) {
  if (key.substr(0, 2) != "k[") return "";
  return key.substr(0, std::min(key.find('.'), key.size()));
}

std::vector<KernelResult> KernelResultsOf(const v1::Evaluation& evaluation) {
  std::vector<KernelResult> results;
  for (const v1::KernelEvaluation& kernel : evaluation.kernels()) {
    KernelResult& result = results.emplace_back();
    result.name = kernel.name();
    result.seconds = kernel.seconds();
    for (const v1::Metric& metric : kernel.metrics()) result.metrics[metric.name()] = metric.normalised();
  }
  return results;
}

std::map<std::string, double> MetricsFor(const std::string& key, const std::vector<KernelResult>& kernels) {
  const absl::string_view name = KernelOfKey(key);
  for (const KernelResult& kernel : kernels) {
    if (!name.empty() && kernel.name == name && !kernel.metrics.empty()) return kernel.metrics;
  }
  std::map<std::string, double> sums;
  std::map<std::string, double> weights;
  for (const KernelResult& kernel : kernels) {
    const double weight = kernel.seconds > 0 ? kernel.seconds : 1e-9;
    for (const auto& [metric, value] : kernel.metrics) {
      sums[metric] += weight * value;
      weights[metric] += weight;
    }
  }
  for (auto& [metric, sum] : sums) sum /= weights[metric];
  return sums;
}

}  // namespace tune
