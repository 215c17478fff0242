// Regression trees (Breiman et al. 1984), as "Coding Ants", section 6.3, and Feng and Abdelrahman use them.
#pragma once

#include <vector>

#include "common/base/random.h"
#include "server/model/samples.h"

namespace tune {

struct TreeOptions {
  int smallest_leaf = 1;  // samples; a node with fewer than two is a leaf in any case
  double attributes = 1;  // share of the attributes, drawn for each split, that are looked at
  bool middle =
      false;  // thresholds are in the middle between neighbouring values, also where there are draws
};

// A binary tree of splits `value <= threshold`. Immutable.
class RegressionTree {
 public:
  struct Node {
    int attribute = -1;   // -1: a leaf
    float threshold = 0;  // below: value <= threshold
    int below = -1;       // nodes
    int above = -1;
    double mean = 0;  // of the targets of its samples
    int samples = 0;
    double gain = 0;  // by how much the split lessens the sum of squared errors
  };

  // Each split is the one that leaves the smallest sum of squared errors in the two children (which weighs
  // their variances by their samples; the published code adds the variances alone); ties: the attribute that
  // was looked at first, the lower threshold. A node is not split when no split lessens the error.
  // `rows`: the samples to use, which may be repeated. `random` draws the attributes in their order, and
  // thresholds between neighbouring values; null: all attributes in order, thresholds in the middle.
  static RegressionTree Grow(const Samples& samples, std::vector<int> rows, const TreeOptions& options,
                             Random* random);

  // Node 0 is the root; children follow their parents. Empty when grown from no rows.
  const std::vector<Node>& nodes() const { return nodes_; }
  // Whether a sample of these values, one an attribute, goes to the split's child below.
  static bool GoesBelow(const Node& split, const std::vector<float>& values) {
    return values[split.attribute] <= split.threshold;
  }
  // The node is a leaf.
  int Leaf(const std::vector<float>& values) const;
  double Predict(const std::vector<float>& values) const { return nodes_[Leaf(values)].mean; }

 private:
  struct Split {
    int attribute = -1;
    int level = 0;       // the last one below
    int next_level = 0;  // the first one above that has samples
    double error = 0;    // sum of squared errors of both children
  };
  class Grower;

  std::vector<Node> nodes_;
};

// One split on the way from the root, and the side taken.
struct PathStep {
  int node = 0;
  bool below = false;
};
// Node of the leaf with the least mean; of equal ones the first. Precondition: grown from a row at least.
int LeastLeaf(const RegressionTree& tree);
// The splits from the root to a node.
std::vector<PathStep> PathTo(const RegressionTree& tree, int node);

// Sum of gains for each attribute, as a share of all gains: how much of the variation it explains.
std::vector<double> Importance(const RegressionTree& tree, int attributes);

}  // namespace tune
