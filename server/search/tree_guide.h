// The regression tree as an extension of the optimisation graph: "Coding Ants", section 6.3.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/random.h"
#include "server/model/regression_tree.h"
#include "server/search/decision_table.h"

namespace tune {

// What the splits that an ant has walked leave of the options: an interval of values for each attribute.
class OptionFilter {
 public:
  void KeepBelow(int attribute, float threshold);
  void KeepAbove(int attribute, float threshold);
  bool empty() const { return bounds_.empty(); }
  // Per option of the point: allowed, and within the bounds; those that were never seen are. May leave none.
  std::vector<bool> Keep(const DecisionTable& table, const DecisionPoint& point) const;
  // The same, but where that leaves none, the bounds do not count for this decision.
  std::vector<bool> Filter(const DecisionTable& table, const DecisionPoint& point) const;
  // Whether what the walk was not asked may be left out.
  bool AllowsWithout(const DecisionTable& table, const Trace& trace) const;

 private:
  struct Bounds {
    float above;  // values are greater than
    float at_most;
    bool Hold(float value) const { return value > above && value <= at_most; }
  };
  Bounds& Of(int attribute);
  std::map<int, Bounds> bounds_;
};

// Grown from what was evaluated. Decisions where the paper is silent, or where we do otherwise:
// - The attributes are all decisions, at every level. The target is the logarithm of the time, so that a
//   split of the fast counts as much as one of the slow; leaves have at least three samples (paper: less than
//   two end the growth), because a region of one sample tells its noise.
// - Edges carry pheromone of the original ant system (Dorigo 1996) without evaporation, since the tree is new
//   in each iteration: every sample deposits best / its time on its path.
// - Ants of the best region follow the path of the best candidate so far.
// - Of more than 300 candidates the tree learns from the fastest 150 and the latest 150.
// Immutable; keeps the table, which is not owned and may grow.
class TreeGuide {
 public:
  // Grown from the first `rows` of the table. Precondition: table->HasSuccess(rows).
  TreeGuide(const DecisionTable* table, int rows);

  // Walks the tree from its root: at each split a branch is drawn with probability pheromone^alpha.
  OptionFilter DrawRegion(double alpha, Random* random) const;
  // The region of a row of the table.
  OptionFilter RegionOf(const Trace& trace) const;

  const RegressionTree& tree() const { return tree_; }
  const DecisionTable& table() const { return *table_; }
  // Of the edge that leads to a node.
  double pheromone(int node) const { return pheromone_[node]; }

 private:
  void Keep(const RegressionTree::Node& node, bool below, OptionFilter* filter) const;

  const DecisionTable* table_;
  RegressionTree tree_;
  std::vector<double> pheromone_;  // by node
};

// The tree as indented text: at each split the decision, its options below, and the means of both sides in
// seconds; then the decisions by importance.
std::string TreeText(const TreeGuide& guide);

}  // namespace tune
