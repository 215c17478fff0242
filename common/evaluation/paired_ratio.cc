#include "common/evaluation/paired_ratio.h"

#include <algorithm>
#include <cmath>

#include "common/evaluation/measurement.h"

namespace tune {
namespace {

constexpr double kTailOfRanks = 0.025;
constexpr size_t kSmallestRankTest = 6;
// Student's t, 97.5%, of 1 to 4 degrees of freedom.
constexpr double kStudent[] = {12.706, 4.303, 3.182, 2.776};

// Largest k with P(T <= k) <= 0.025, T being the sum of those of the ranks 1 to n that a fair coin picks.
size_t LargestRankSum(size_t n) {
  const size_t all = n * (n + 1) / 2;
  std::vector<double> probability(all + 1, 0);  // of each sum, with the ranks so far
  probability[0] = 1;
  for (size_t rank = 1; rank <= n; ++rank) {
    for (size_t sum = all + 1; sum-- > 0;)
      probability[sum] = (probability[sum] + (sum >= rank ? probability[sum - rank] : 0)) / 2;
  }
  double tail = probability[0];
  size_t k = 0;
  while (tail + probability[k + 1] <= kTailOfRanks) tail += probability[++k];
  return k;
}

// Half the width of Student's interval around `mean`.
double StudentMargin(const std::vector<double>& values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double n = values.size();
  return kStudent[values.size() - 2] * std::sqrt(squares / (n - 1) / n);
}

}  // namespace

std::vector<double> SortedWalshAverages(const std::vector<double>& values) {
  std::vector<double> averages;
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = i; j < values.size(); ++j) averages.push_back((values[i] + values[j]) / 2);
  }
  std::sort(averages.begin(), averages.end());
  return averages;
}

RatioEstimate PairedRatio(const std::vector<double>& numerators, const std::vector<double>& denominators) {
  std::vector<double> logarithms;
  for (size_t i = 0; i < numerators.size(); ++i)
    logarithms.push_back(std::log(numerators[i] / denominators[i]));
  const size_t n = logarithms.size();
  if (n == 0) return {};
  const std::vector<double> averages = SortedWalshAverages(logarithms);
  const double middle = Median(averages);
  if (n == 1) return {std::exp(middle), 0, 0};
  if (n >= kSmallestRankTest) {
    const size_t k = LargestRankSum(n);
    return {std::exp(middle), std::exp(averages[k]), std::exp(averages[averages.size() - 1 - k])};
  }
  double mean = 0;
  for (const double value : logarithms) mean += value / static_cast<double>(n);
  const double margin = StudentMargin(logarithms, mean);
  return {std::exp(middle), std::exp(std::min(middle, mean - margin)),
          std::exp(std::max(middle, mean + margin))};
}

}  // namespace tune
