#include "server/search/edge_experience.h"

#include <cmath>

namespace tune {

void EdgeExperience::Moments::Add(double value) {
  ++count;
  const double difference = value - mean;
  mean += difference / static_cast<double>(count);
  squares += difference * (value - mean);
}

double EdgeExperience::Moments::deviation() const {
  return count == 0 ? 0 : std::sqrt(squares / static_cast<double>(count));
}

void EdgeExperience::Add(const Trace& trace, bool correct, const std::vector<KernelResult>& kernels) {
  std::map<absl::string_view, std::map<std::string, double>> metrics;  // by kernel
  for (const TracedDecision& traced : trace) {
    Edge& edge = edges_[traced.point.key][traced.point.options[traced.chosen]];
    ++edge.walked;
    edge.correct += correct ? 1 : 0;
    if (kernels.empty()) continue;
    const auto [known, is_new] = metrics.try_emplace(KernelOfKey(traced.point.key));
    if (is_new) known->second = MetricsFor(traced.point.key, kernels);
    auto moments = edge.metrics.begin();  // in the same order
    for (const auto& [metric, value] : known->second) {
      while (moments != edge.metrics.end() && moments->first < metric) ++moments;
      if (moments == edge.metrics.end() || moments->first != metric) {
        moments = edge.metrics.try_emplace(moments, metric);
      }
      moments->second.Add(value);
    }
  }
}

double EdgeExperience::Desirability(const std::string& key, const std::string& option,
                                    const std::vector<KernelResult>& best) const {
  const Edge* edge = Find(key, option);
  if (edge == nullptr) return 1;
  double sum = 0;
  int count = 0;
  for (const auto& [metric, of_best] : MetricsFor(key, best)) {
    const auto moments = edge->metrics.find(metric);
    if (moments == edge->metrics.end() || moments->second.count < kFewestSamples) continue;
    sum += (moments->second.mean - of_best) / (moments->second.deviation() + 1);
    ++count;
  }
  return count == 0 ? 1 : 1 + sum / count;
}

double EdgeExperience::Reliability(const std::string& key, const std::string& option) const {
  const Edge* edge = Find(key, option);
  if (edge == nullptr) return 1;
  return static_cast<double>(edge->correct + 1) / static_cast<double>(edge->walked + 1);
}

const EdgeExperience::Edge* EdgeExperience::Find(const std::string& key, const std::string& option) const {
  const auto node = edges_.find(key);
  if (node == edges_.end()) return nullptr;
  const auto edge = node->second.find(option);
  return edge == node->second.end() ? nullptr : &edge->second;
}

}  // namespace tune
