#include "worker/run/sample_bounds.h"

#include <algorithm>
#include <cmath>

namespace tune {
namespace {

constexpr double kQuantile = 0.9, kFactor = 1.25, kMargin = 5e-6;
constexpr double kSlowerOnFresh = 2;
constexpr double kResolution = 1e-9;  // of the clock

}  // namespace

SampleBounds::SampleBounds(const std::vector<TurnTime>& empty) {
  std::vector<double> costs;
  least_ = empty.back().told;
  for (size_t i = 1; i < empty.size(); ++i) {
    costs.push_back(empty[i].outer);
    least_ = std::min(least_, empty[i].told);
  }
  least_ = std::max(least_, kResolution);
  std::sort(costs.begin(), costs.end());
  const auto rank = static_cast<size_t>(std::ceil(kQuantile * static_cast<double>(costs.size())));
  allowance_ = kFactor * costs[rank - 1] + kMargin;
}

std::optional<double> SampleBounds::Accept(const TurnTime& turn) const {
  if (!std::isfinite(turn.told) || turn.told <= 0) return std::nullopt;
  const double low = std::max(turn.outer - allowance_, std::min(least_, turn.outer));
  return std::clamp(turn.told, low, turn.outer);
}

double SampleBounds::LeastByFreshRun(const TurnTime& turn, double writing) const {
  const double evidence = std::min(turn.outer, turn.processor);
  return (evidence - 2 * writing - allowance_) / kSlowerOnFresh;
}

}  // namespace tune
