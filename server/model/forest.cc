#include "server/model/forest.h"

#include <algorithm>
#include <cmath>

namespace tune {
namespace {

constexpr TreeOptions kForestTrees = {.smallest_leaf = 2, .attributes = 0.7};

}  // namespace

Forest Forest::Grow(const Samples& samples, int trees, Random* random) {
  Forest forest;
  for (int i = 0; i < trees; ++i) {
    std::vector<int> rows(samples.size());
    for (int& row : rows) row = static_cast<int>(random->Below(samples.size()));
    forest.trees_.push_back(RegressionTree::Grow(samples, std::move(rows), kForestTrees, random));
  }
  return forest;
}

Prediction Forest::Predict(const std::vector<float>& values) const {
  double sum = 0;
  double squares = 0;
  for (const RegressionTree& tree : trees_) {
    const double value = tree.Predict(values);
    sum += value;
    squares += value * value;
  }
  const double count = static_cast<double>(trees_.size());
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

}  // namespace tune
