// Several regression trees of resampled samples, whose spread tells how sure they are.
#pragma once

#include <vector>

#include "server/model/prediction.h"
#include "server/model/regression_tree.h"

namespace tune {

// Each tree is grown from as many samples drawn with replacement, and each split looks at 70 % of the
// attributes (random forests, Breiman 2001). Immutable.
class Forest {
 public:
  static Forest Grow(const Samples& samples, int trees, Random* random);

  int size() const { return static_cast<int>(trees_.size()); }
  // Mean and standard deviation among the trees; `values`: one an attribute.
  Prediction Predict(const std::vector<float>& values) const;

 private:
  std::vector<RegressionTree> trees_;
};

}  // namespace tune
