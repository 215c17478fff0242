#include "common/evaluation/measurement.h"

#include <algorithm>
#include <cmath>

namespace tune {
namespace {

constexpr double kTail = 0.025;
constexpr int kSmallestSignTest = 6;

// log(n!). Not std::lgamma, which writes a global.
double LogFactorial(int n) {
  int sign;
  return lgamma_r(n + 1.0, &sign);
}

// P(Binomial(n, 1/2) <= k).
double BinomialTail(int n, int k) {
  double sum = 0;
  for (int i = 0; i <= k; ++i) {
    sum += std::exp(LogFactorial(n) - LogFactorial(i) - LogFactorial(n - i) - n * std::log(2.0));
  }
  return sum;
}

}  // namespace

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  const double upper = values[middle];
  if (values.size() % 2 == 1) return upper;
  const double lower = *std::max_element(values.begin(), values.begin() + middle);
  return lower + (upper - lower) / 2;
}

Interval MedianInterval(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const int n = static_cast<int>(values.size());
  int rank = 1;  // the interval is [rank-th smallest, rank-th largest]
  while (rank < (n + 1) / 2 && BinomialTail(n, rank) <= kTail) ++rank;
  return {values[rank - 1], values[n - rank]};
}

v1::Measurement MakeMeasurement(const std::vector<double>& samples) {
  v1::Measurement measurement;
  measurement.mutable_samples()->Add(samples.begin(), samples.end());
  measurement.set_median(Median(samples));
  const Interval interval = MedianInterval(samples);
  measurement.set_confidence_low(interval.low);
  measurement.set_confidence_high(interval.high);
  return measurement;
}

bool Distinguishable(const v1::Measurement& a, const v1::Measurement& b) {
  if (a.samples_size() != b.samples_size() || a.samples_size() < kSmallestSignTest) {
    return a.confidence_high() < b.confidence_low() || b.confidence_high() < a.confidence_low();
  }
  int less = 0;
  int greater = 0;
  for (int i = 0; i < a.samples_size(); ++i) {
    if (a.samples(i) < b.samples(i)) ++less;
    if (a.samples(i) > b.samples(i)) ++greater;
  }
  if (less + greater < kSmallestSignTest) return false;  // ties say nothing
  return BinomialTail(less + greater, std::min(less, greater)) <= kTail;
}

}  // namespace tune
