// Several regression trees of resampled samples, whose spread tells how sure they are.
#pragma once

#include <vector>

#include "server/model/regression_tree.h"

namespace tune {

struct Prediction {
  double mean = 0;
  double deviation = 0;  // standard deviation among the trees
};

// Each tree is grown from as many samples drawn with replacement, and each split looks at 70 % of the
// attributes (random forests, Breiman 2001). Immutable.
class Forest {
 public:
  static Forest Grow(const Samples& samples, int trees, Random* random);

  int size() const { return static_cast<int>(trees_.size()); }
  // Of the named trees; `values`: one an attribute.
  Prediction Predict(const std::vector<float>& values, const std::vector<int>& trees) const;

 private:
  std::vector<RegressionTree> trees_;
};

}  // namespace tune
