#include "server/search/walk_model.h"

#include <algorithm>
#include <cmath>

namespace tune {
namespace {

constexpr int kForestSamples = 300;
constexpr int kProcessSamples = 64;
constexpr int kModelTrees = 10;
constexpr float kNotAsked = -0.5f;

// How often two divides the number of an attribute's value, log2(1 + number); 0 for what is no
// number above 0.
float PowersOfTwo(float value) {
  int64_t number = value > 0 && value < 62 ? std::llround(std::exp2(double{value}) - 1) : 0;
  int powers = 0;
  for (; number > 0 && number % 2 == 0; number /= 2) ++powers;
  return static_cast<float>(powers);
}

// Whether the powers of two tell what the values do not: where they grow with the values, thresholds on these
// do as well.
bool Tells(const std::vector<float>& levels) {
  std::vector<float> powers;
  for (const float level : levels) powers.push_back(PowersOfTwo(level));
  return !std::is_sorted(powers.begin(), powers.end());
}

std::vector<double> LogarithmsOf(const Samples& samples) {
  std::vector<double> logarithms;
  for (int i = 0; i < samples.size(); ++i) logarithms.push_back(samples.target(i));
  return logarithms;
}

// Of two in the middle the higher.
double MedianOf(std::vector<double> values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

WalkModel::WalkModel(const DecisionTable* table, int rows, Random random, std::vector<double> expected)
    : table_(table), expected_(std::move(expected)), process_({{}}, {0}) {
  const std::vector<int> window = table->Window(rows, kForestSamples);
  const Samples samples = table->MakeSamples(window);
  attributes_ = samples.attributes();
  for (int attribute = 0; attribute < attributes_; ++attribute) {
    if (table->numeric(attribute) && Tells(samples.levels(attribute))) aligned_.push_back(attribute);
  }
  const std::vector<double> logarithms = LogarithmsOf(samples);
  best_ = *std::min_element(logarithms.begin(), logarithms.end());
  cap_ = MedianOf(logarithms);
  if (!expected_.empty()) {
    std::vector<double> differences;
    for (size_t i = 0; i < window.size(); ++i) differences.push_back(logarithms[i] - expected_[window[i]]);
    shift_ = MedianOf(std::move(differences));
  }
  forest_ = Forest::Grow(Samples(WideRows(window), TargetsOf(window)), kModelTrees, &random);
  process_ = MakeProcess(rows);
}

GaussianProcess WalkModel::MakeProcess(int rows) {
  const std::vector<int> window = table_->Window(rows, kProcessSamples);
  const std::vector<double> targets = TargetsOf(window);
  std::vector<std::vector<float>> inputs = WideRows(window);
  const Samples samples(inputs, targets);
  for (int attribute = 0; attribute < samples.attributes(); ++attribute) {
    const std::vector<float>& levels = samples.levels(attribute);
    if (levels.size() == 1) continue;
    const size_t first = levels[0] == DecisionTable::kAbsent ? 1 : 0;
    varying_.push_back(attribute);
    lowest_.push_back(levels[first]);
    range_.push_back(levels.back() > levels[first] ? levels.back() - levels[first] : 1);
  }
  for (std::vector<float>& input : inputs) input = Scale(input);
  return GaussianProcess(std::move(inputs), targets);
}

std::vector<double> WalkModel::TargetsOf(const std::vector<int>& rows) const {
  std::vector<double> targets = LogarithmsOf(table_->MakeSamples(rows));
  for (size_t i = 0; i < rows.size(); ++i)
    targets[i] = std::min(targets[i], cap_) - Shifted(expected_.empty() ? 0 : expected_[rows[i]]);
  return targets;
}

double WalkModel::Shifted(double expected) const {
  return expected_.empty() ? 0 : std::min(expected + shift_, cap_);
}

double WalkModel::Improvement(const Trace& trace, const GaussianProcess& process, double expected) const {
  const std::vector<float> wide = Widen(table_->RowOf(trace));
  Prediction prediction = Mix(forest_.Predict(wide), process.Predict(Scale(wide)));
  prediction.mean += Shifted(expected);
  return ExpectedImprovement(prediction, best_);
}

std::vector<float> WalkModel::Widen(std::vector<float> row) const {
  row.resize(attributes_);
  for (const int attribute : aligned_) row.push_back(PowersOfTwo(row[attribute]));
  return row;
}

std::vector<float> WalkModel::Scale(const std::vector<float>& row) const {
  std::vector<float> input(varying_.size());
  for (size_t i = 0; i < input.size(); ++i) {
    const float value = row[varying_[i]];
    input[i] = value == DecisionTable::kAbsent ? kNotAsked : (value - lowest_[i]) / range_[i];
  }
  return input;
}

std::vector<std::vector<float>> WalkModel::WideRows(const std::vector<int>& rows) const {
  std::vector<std::vector<float>> wide;
  for (const int row : rows) wide.push_back(Widen(table_->Row(row)));
  return wide;
}

}  // namespace tune
