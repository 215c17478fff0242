// The decision graph with the ants' trails.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
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
// - The desirability eta of equation 2 is 1 on every edge until experience sets it, and at least 0.05, so
// that no
//   option is lost for ever.
class PheromoneGraph {
 public:
  explicit PheromoneGraph(const PheromoneOptions& options) : options_(options) {}

  // Numerators of equation 2, tau^alpha * eta^beta, one an option; 0 where not allowed.
  std::vector<double> Weights(const DecisionPoint& point, const std::vector<bool>& allowed) const;

  // Creates the nodes and edges of a walk that do not exist; its edges are visited once more.
  void Reach(const Trace& trace);

  // Equation 5, which is equation 3 in the hyper-cube framework for a single depositing ant, in three steps:
  // every edge evaporates, tau = (1 - rho) tau; those of a walk, or of a part of one, get + share * rho; all
  // are clamped to [tau_min, tau_max].
  void Evaporate();
  void Deposit(const Trace& trace, double share);
  void KeepWithinBounds();

  // Initial value when the edge does not exist; then `options` is the number of options of its node.
  double Tau(const std::string& key, const std::string& option, int options) const;
  // eta of every edge from its key and option.
  void SetDesirabilities(
      const std::function<double(const std::string& key, const std::string& option)>& desirability);
  // 1 when the edge does not exist.
  double Eta(const std::string& key, const std::string& option) const;
  struct Edge {
    double tau = 0;
    double eta = 1;
    int64_t visits = 0;
    std::map<std::string, int64_t> next;  // key of the decision after it -> visits; "": the end
  };
  // Calls `visit` with every edge, in order of keys and options.
  void Visit(const std::function<void(const std::string& key, const std::string& option, const Edge& edge)>&
                 visit) const;
  size_t nodes() const { return nodes_.size(); }

 private:
  using Node = std::map<std::string, Edge>;  // by option

  double Clamp(double tau) const;
  double InitialTau(int options) const { return Clamp(1.0 / options); }

  PheromoneOptions options_;
  std::map<std::string, Node> nodes_;  // by key
  std::unordered_map<std::string, std::vector<std::string>>
      last_;  // options of a key when it was last reached
};

}  // namespace tune
