// What regression trees are grown from.
#pragma once

#include <cstdint>
#include <vector>

namespace tune {

// A table of numbers, one row a sample, and a target for each. Not thread safe.
class Samples {
 public:
  // `values`: [sample][attribute], one target a sample. All rows have one length.
  Samples(const std::vector<std::vector<float>>& values, std::vector<double> targets);

  int size() const { return static_cast<int>(targets_.size()); }
  int attributes() const { return static_cast<int>(levels_.size()); }
  double target(int sample) const { return targets_[sample]; }
  // The distinct values of an attribute, ascending.
  const std::vector<float>& levels(int attribute) const { return levels_[attribute]; }
  // Position of a sample's value among them.
  int level(int sample, int attribute) const { return codes_[attribute][sample]; }

 private:
  std::vector<double> targets_;
  std::vector<std::vector<float>> levels_;    // [attribute]
  std::vector<std::vector<uint32_t>> codes_;  // [attribute][sample]
};

}  // namespace tune
