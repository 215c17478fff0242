#include "common/evaluation/compared_times.h"

#include <algorithm>

#include "common/evaluation/measurement.h"
#include "common/evaluation/paired_ratio.h"

namespace tune {

v1::ComparedTimes CompareTimes(const std::vector<double>& original, const std::vector<double>& tuned) {
  const auto positive = [](std::vector<double> seconds) {
    for (double& each : seconds) each = std::max(each, 1e-9);
    return seconds;
  };
  const std::vector<double> before = positive(original), after = positive(tuned);
  const RatioEstimate estimate = PairedRatio(before, after);
  v1::ComparedTimes times;
  times.set_runs(static_cast<int>(before.size()));
  times.set_original_seconds(Median(before));
  times.set_tuned_seconds(Median(after));
  times.set_ratio(estimate.ratio);
  times.set_ratio_low(estimate.low);
  times.set_ratio_high(estimate.high);
  return times;
}

absl::string_view SpeedVerdict(const v1::ComparedTimes& times) {
  if (IsFaster(times)) return "faster";
  if (times.ratio_high() > 0 && times.ratio_high() < 1) return "slower";
  return "cannot be told apart";
}

bool IsFaster(const v1::ComparedTimes& times) { return times.ratio_low() > 1; }

const v1::ComparedTimes& ProgramTimes(const v1::ProgramCheck& check) {
  return check.has_warm() ? check.warm() : check.fresh();
}

}  // namespace tune
