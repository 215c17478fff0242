// How many times one quantity is another one, from measurements in pairs.
#pragma once

#include <vector>

namespace tune {

// The means of all pairs of the values, each with itself (Walsh averages), in ascending order.
std::vector<double> SortedWalshAverages(const std::vector<double>& values);

struct RatioEstimate {
  double ratio = 0;
  // 95% confidence interval; both 0 when there is none.
  double low = 0;
  double high = 0;
};

// The ratio of numerators[i] to denominators[i], each pair measured under the same conditions. Works on the
// logarithms of the pairs' ratios, so that swapping the lists gives the reciprocals.
//   ratio      Hodges and Lehmann's estimate: the median of the means of all pairs of logarithms, each with
//   itself
//              included (Walsh averages).
//   low, high  from 6 pairs on Tukey's interval, which belongs to Wilcoxon's signed-rank test: the k+1st
//   smallest
//              and k+1st largest Walsh average, k being the largest number with P(T <= k) <= 0.025 for the
//              rank sum T of n values that are as likely positive as negative (Hollander, Wolfe, Chicken:
//              Nonparametric Statistical Methods, sections 3.2 and 3.3). It asks that the logarithms are
//              spread symmetrically, which differences of two measurements with the same noise are, and of no
//              distribution beyond that. With 2 to 5 pairs no such interval reaches 95%: Student's t interval
//              of the mean logarithm then, which takes the noise as normal, and wide it is.
// One pair has a ratio and no interval, none has neither. All values must be positive.
RatioEstimate PairedRatio(const std::vector<double>& numerators, const std::vector<double>& denominators);

}  // namespace tune
