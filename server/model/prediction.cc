#include "server/model/prediction.h"

#include <algorithm>
#include <cmath>

namespace tune {

double ExpectedImprovement(const Prediction& prediction, double best) {
  const double gap = best - prediction.mean;
  if (prediction.deviation <= 0) return std::max(0.0, gap);
  const double z = gap / prediction.deviation;
  const double below = 0.5 * std::erfc(-z * std::sqrt(0.5));                       // normal distribution at z
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::acos(-1.0));  // its density
  return std::max(0.0, gap * below + prediction.deviation * density);
}

Prediction Mix(const Prediction& a, const Prediction& b) {
  const double half_gap = 0.5 * (a.mean - b.mean);
  const double variance = 0.5 * (a.deviation * a.deviation + b.deviation * b.deviation) + half_gap * half_gap;
  return {0.5 * (a.mean + b.mean), std::sqrt(variance)};
}

}  // namespace tune
