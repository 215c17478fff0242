#include "server/search/kernel_results.h"

#include "common/evaluation/roofline_metric.h"

namespace tune {
namespace {

// A kernel's place under the roofs is for people: the algorithm's metrics are those of the paper's Table 2.
bool GuidesAnts(const v1::Metric& metric) {
  return metric.name() != kArithmeticIntensity && metric.name() != kFlopThroughput;
}

}  // namespace

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
    for (const v1::Metric& metric : kernel.metrics()) {
      if (GuidesAnts(metric)) result.metrics[metric.name()] = metric.normalised();
    }
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
