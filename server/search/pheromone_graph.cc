#include "server/search/pheromone_graph.h"

#include <algorithm>
#include <cmath>

namespace tune {

std::vector<double> PheromoneGraph::Weights(const DecisionPoint& point,
                                            const std::vector<bool>& allowed) const {
  const int count = static_cast<int>(point.options.size());
  const auto node = nodes_.find(point.key);
  std::vector<double> weights(count, 0);
  for (int i = 0; i < count; ++i) {
    if (!allowed[i]) continue;
    Edge edge{InitialTau(count), 1};
    if (node != nodes_.end()) {
      const auto found = node->second.find(point.options[i]);
      if (found != node->second.end()) edge = found->second;
    }
    weights[i] = std::pow(edge.tau, options_.alpha) * std::pow(edge.eta, options_.beta);
  }
  return weights;
}

void PheromoneGraph::Reach(const Trace& trace) {
  for (const TracedDecision& traced : trace) {
    const double initial = InitialTau(static_cast<int>(traced.point.options.size()));
    Node& node = nodes_[traced.point.key];
    for (const std::string& option : traced.point.options) node.try_emplace(option, Edge{initial, 1});
  }
}

void PheromoneGraph::Update(const Trace* best) {
  for (auto& [key, node] : nodes_) {
    for (auto& [option, edge] : node) edge.tau *= 1 - options_.rho;
  }
  if (best != nullptr) {
    for (const TracedDecision& traced : *best) {
      nodes_[traced.point.key][traced.point.options[traced.chosen]].tau += options_.rho;
    }
  }
  for (auto& [key, node] : nodes_) {
    for (auto& [option, edge] : node) edge.tau = Clamp(edge.tau);
  }
}

double PheromoneGraph::Tau(const std::string& key, const std::string& option, int options) const {
  const auto node = nodes_.find(key);
  if (node == nodes_.end()) return InitialTau(options);
  const auto edge = node->second.find(option);
  return edge == node->second.end() ? InitialTau(options) : edge->second.tau;
}

void PheromoneGraph::SetDesirability(const std::string& key, const std::string& option, double eta) {
  const auto node = nodes_.find(key);
  if (node == nodes_.end()) return;
  const auto edge = node->second.find(option);
  if (edge != node->second.end()) edge->second.eta = eta;
}

double PheromoneGraph::Clamp(double tau) const { return std::clamp(tau, options_.tau_min, options_.tau_max); }

}  // namespace tune
