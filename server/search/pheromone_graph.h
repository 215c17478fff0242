// The decision graph with the ants' trails.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/search/walk_tree.h"

namespace tune {

// Constants of equations 2, 3 and 5 of the Coding Ants paper, and MAX-MIN's bounds.
struct PheromoneOptions {
  double alpha = 1;
  double beta = 1;
  double rho = 0.1;
  double tau_min = 0.05;
  double tau_max = 0.95;
};

// A node is a decision's key, so that every path which asks the same decision meets in it (the paper's
// semantic edges); its edges are the options. Not thread safe.
//
// Decisions where the paper is silent:
// - A node is created at the end of the iteration in which a candidate first passed it. Until then
//   its edges have the initial value: a draw alone, which may be discarded, leaves no trace.
// - The initial tau is 1 / (number of options, masked ones included), within the bounds: an untouched node is
//   a uniform draw, as in the published code.
// - The desirability eta of equation 2 is 1 on every edge until metrics set it.
class PheromoneGraph {
 public:
  explicit PheromoneGraph(const PheromoneOptions& options) : options_(options) {}

  // Numerators of equation 2, tau^alpha * eta^beta, one an option; 0 where not allowed.
  std::vector<double> Weights(const DecisionPoint& point, const std::vector<bool>& allowed) const;

  // Creates the nodes and edges of a walk that do not exist.
  void Reach(const Trace& trace);

  // Equation 5, which is equation 3 in the hyper-cube framework for a single depositing ant: every edge
  // evaporates, tau = (1 - rho) tau; those of `best` get + rho. Then all are clamped to
  // [tau_min, tau_max]. Null: no ant deposits.
  void Update(const Trace* best);

  // Initial value when the edge does not exist; then `options` is the number of options of its node.
  double Tau(const std::string& key, const std::string& option, int options) const;
  void SetDesirability(const std::string& key, const std::string& option, double eta);
  size_t nodes() const { return nodes_.size(); }

 private:
  struct Edge {
    double tau = 0;
    double eta = 1;
  };
  using Node = std::map<std::string, Edge>;  // by option

  double Clamp(double tau) const;
  double InitialTau(int options) const { return Clamp(1.0 / options); }

  PheromoneOptions options_;
  std::map<std::string, Node> nodes_;  // by key
};

}  // namespace tune
