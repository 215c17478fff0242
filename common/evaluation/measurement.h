// Statistics of timed samples.
#pragma once

#include <vector>

#include "tune/v1/evaluation.pb.h"

namespace tune {

// Of the values in any order; the mean of the two middle ones when their number is even. 0 when empty.
double Median(std::vector<double> values);

// Confidence interval of a median.
struct Interval {
  double low = 0;
  double high = 0;
};

// 95% interval of the median from order statistics: the narrowest pair of ranks k, n+1-k with
// P(Binomial(n, 1/2) < k) <= 0.025 (no assumption on the distribution). With fewer than 6 values no
// pair reaches 95%; then smallest and largest. {0, 0} when empty.
Interval MedianInterval(std::vector<double> values);

// Samples in the order measured, their median and its interval.
v1::Measurement MakeMeasurement(const std::vector<double>& samples);

// Whether two candidates measured in turns (a, b, a, b, ...) differ with 95% confidence. With the
// same number of samples, at least 6: a two-sided sign test on the pairs of one round, which slow drifts
// of the machine do not disturb. Else: whether the confidence intervals are disjoint.
bool Distinguishable(const v1::Measurement& a, const v1::Measurement& b);

}  // namespace tune
