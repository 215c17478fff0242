#include "server/search/pheromone_graph.h"

#include <algorithm>
#include <cmath>

namespace tune {
namespace {

constexpr double kLeastDesirability = 0.05;

}  // namespace

std::vector<double> PheromoneGraph::Weights(const DecisionPoint& point,
                                            const std::vector<bool>& allowed) const {
  const int count = static_cast<int>(point.options.size());
  const auto node = nodes_.find(point.key);
  std::vector<double> weights(count, 0);
  for (int i = 0; i < count; ++i) {
    if (!allowed[i]) continue;
    double tau = InitialTau(count);
    double eta = 1;
    if (node != nodes_.end()) {
      const auto edge = node->second.find(point.options[i]);
      if (edge != node->second.end()) {
        tau = edge->second.tau;
        eta = edge->second.eta;
      }
    }
    weights[i] = std::pow(tau, options_.alpha) * std::pow(eta, options_.beta);
  }
  return weights;
}

void PheromoneGraph::Reach(const Trace& trace) {
  for (size_t i = 0; i < trace.size(); ++i) {
    const DecisionPoint& point = trace[i].point;
    const double initial = InitialTau(static_cast<int>(point.options.size()));
    Node& node = nodes_[point.key];
    if (std::vector<std::string>& last = last_[point.key]; last != point.options) {
      for (const std::string& option : point.options) {
        const auto [edge, is_new] = node.try_emplace(option);
        if (is_new) edge->second.tau = initial;
      }
      last = point.options;
    }
    Edge& taken = node.at(point.options[trace[i].chosen]);
    ++taken.visits;
    ++taken.next[i + 1 < trace.size() ? trace[i + 1].point.key : ""];
  }
}

void PheromoneGraph::Evaporate() {
  for (auto& [key, node] : nodes_) {
    for (auto& [option, edge] : node) edge.tau *= 1 - options_.rho;
  }
}

void PheromoneGraph::Deposit(const Trace& trace, double share) {
  for (const TracedDecision& traced : trace) {
    nodes_[traced.point.key][traced.point.options[traced.chosen]].tau += share * options_.rho;
  }
}

void PheromoneGraph::KeepWithinBounds() {
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

void PheromoneGraph::SetDesirabilities(
    const std::function<double(const std::string& key, const std::string& option)>& desirability) {
  for (auto& [key, node] : nodes_) {
    for (auto& [option, edge] : node) edge.eta = std::max(kLeastDesirability, desirability(key, option));
  }
}

double PheromoneGraph::Eta(const std::string& key, const std::string& option) const {
  const auto node = nodes_.find(key);
  if (node == nodes_.end()) return 1;
  const auto edge = node->second.find(option);
  return edge == node->second.end() ? 1 : edge->second.eta;
}

void PheromoneGraph::Visit(const std::function<void(const std::string& key, const std::string& option,
                                                    const Edge& edge)>& visit) const {
  for (const auto& [key, node] : nodes_) {
    for (const auto& [option, edge] : node) visit(key, option, edge);
  }
}

double PheromoneGraph::Clamp(double tau) const { return std::clamp(tau, options_.tau_min, options_.tau_max); }

}  // namespace tune
