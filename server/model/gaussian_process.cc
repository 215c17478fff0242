#include "server/model/gaussian_process.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace tune {
namespace {

constexpr double kNoise = 0.01;  // share of the variance
constexpr double kLeastVariance = 1e-12;
constexpr std::array<double, 4> kLengths = {0.5, 1, 2, 4};

// Sum of term(i) for i below count. Four sums, because one would wait for each addition.
template <typename Number, typename Term>
Number SumOf(size_t count, const Term& term) {
  Number sums[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (size_t j = 0; j < 4; ++j) sums[j] += term(i + j);
  }
  for (; i < count; ++i) sums[0] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double Product(const double* a, const double* b, size_t count) {
  return SumOf<double>(count, [&](size_t i) { return a[i] * b[i]; });
}

}  // namespace

GaussianProcess::GaussianProcess(std::vector<std::vector<float>> inputs, const std::vector<double>& targets) {
  mean_ = std::accumulate(targets.begin(), targets.end(), 0.0) / static_cast<double>(targets.size());
  std::vector<double> centred = targets;
  for (double& target : centred) target -= mean_;
  double best_length = kLengths[0];
  double least = std::numeric_limits<double>::infinity();
  for (const double length : kLengths) {
    const double value = Factor(inputs, centred, length);
    if (value >= least) continue;
    least = value;
    best_length = length;
  }
  if (best_length != length_) Factor(inputs, centred, best_length);
  SolveBackwards(&weights_);
}

double GaussianProcess::Factor(const std::vector<std::vector<float>>& inputs,
                               const std::vector<double>& targets, double length) {
  length_ = length;
  factor_.clear();
  inputs_.clear();
  for (const std::vector<float>& input : inputs) AppendRow(input);
  weights_ = targets;
  SolveForwards(&weights_);
  const double count = static_cast<double>(targets.size());
  const double squares = std::inner_product(weights_.begin(), weights_.end(), weights_.begin(), 0.0);
  variance_ = std::max(kLeastVariance, squares / count);
  double value = 0.5 * count * std::log(variance_);
  for (size_t i = 0; i < inputs_.size(); ++i) value += std::log(Row(i)[i]);
  return value;
}

void GaussianProcess::AppendRow(const std::vector<float>& input) {
  std::vector<double> row;
  row.reserve(inputs_.size() + 1);
  for (const std::vector<float>& other : inputs_) row.push_back(Covariance(input, other));
  SolveForwards(&row);
  const double squares = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
  row.push_back(std::sqrt(std::max(kLeastVariance, 1 + kNoise - squares)));
  factor_.insert(factor_.end(), row.begin(), row.end());
  inputs_.push_back(input);
}

void GaussianProcess::Expect(const std::vector<float>& input) { AppendRow(input); }

Prediction GaussianProcess::Predict(const std::vector<float>& input) const {
  std::vector<double> covariances;
  covariances.reserve(inputs_.size());
  for (const std::vector<float>& other : inputs_) covariances.push_back(Covariance(input, other));
  const double mean = std::inner_product(weights_.begin(), weights_.end(), covariances.begin(), mean_);
  SolveForwards(&covariances);
  const double known = std::inner_product(covariances.begin(), covariances.end(), covariances.begin(), 0.0);
  return {mean, std::sqrt(variance_ * std::max(kLeastVariance, 1 - known))};
}

double GaussianProcess::Covariance(const std::vector<float>& a, const std::vector<float>& b) const {
  const float squares = SumOf<float>(a.size(), [&](size_t i) { return (a[i] - b[i]) * (a[i] - b[i]); });
  const double distance = std::sqrt(5.0 * squares) / length_;
  return (1 + distance + distance * distance / 3) * std::exp(-distance);
}

void GaussianProcess::SolveForwards(std::vector<double>* right) const {
  std::vector<double>& values = *right;
  for (size_t i = 0; i < values.size(); ++i) {
    const double* row = Row(i);
    values[i] = (values[i] - Product(row, values.data(), i)) / row[i];
  }
}

void GaussianProcess::SolveBackwards(std::vector<double>* right) const {
  std::vector<double>& values = *right;
  for (size_t i = values.size(); i-- > 0;) {
    const double* row = Row(i);
    values[i] /= row[i];
    for (size_t j = 0; j < i; ++j) values[j] -= row[j] * values[i];
  }
}

}  // namespace tune
