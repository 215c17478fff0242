#include "worker/measure/stopping_rule.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "common/evaluation/measurement.h"

namespace tune {
namespace {

// So many samples are enough of a candidate all of which are so many times slower than the best one.
constexpr int kSamplesOfLoser = 3;
constexpr double kLoser = 2;

}  // namespace

v1::Sampling FillSampling(v1::Sampling sampling) {
  if (sampling.min_samples() <= 0) sampling.set_min_samples(6);
  if (sampling.max_samples() <= 0) sampling.set_max_samples(100);
  if (sampling.precision() <= 0) sampling.set_precision(0.02);
  if (sampling.max_seconds() <= 0) sampling.set_max_seconds(2);
  if (sampling.hopeless_factor() <= 0) sampling.set_hopeless_factor(10);
  return sampling;
}

StoppingRule::StoppingRule(const v1::Sampling& sampling) : sampling_(FillSampling(sampling)) {}

bool StoppingRule::Satisfied() const {
  const int count = static_cast<int>(samples_.size());
  if (count >= sampling_.max_samples()) return true;
  if (count >= kSamplesOfLoser && sampling_.best_seconds() > 0 &&
      *std::min_element(samples_.begin(), samples_.end()) > kLoser * sampling_.best_seconds()) {
    return true;
  }
  if (count < sampling_.min_samples()) return false;
  const double median = Median(samples_);
  const Interval interval = MedianInterval(samples_);
  if (sampling_.best_seconds() > 0 && interval.low > sampling_.best_seconds()) return true;
  const double half_width = std::max(interval.high - median, median - interval.low);
  return half_width <= sampling_.precision() * median;
}

bool StoppingRule::Hopeless(double seconds) const {
  return sampling_.best_seconds() > 0 && seconds > sampling_.hopeless_factor() * sampling_.best_seconds();
}

bool StoppingRule::Hopeless() const { return !samples_.empty() && Hopeless(samples_.front()); }

std::string StoppingRule::HopelessReason(double first_seconds, double significant_seconds) const {
  const bool slow_first_run = first_seconds > significant_seconds && Hopeless(first_seconds);
  if (!slow_first_run && !Hopeless()) return "";
  return absl::StrFormat("hopeless: %.4g s is more than %g times the best candidate's %.4g s",
                         slow_first_run ? first_seconds : samples_.front(), sampling_.hopeless_factor(),
                         sampling_.best_seconds());
}

std::string StoppingRule::HopelessByEstimate(double seconds, double doubt) const {
  if (!Hopeless(seconds / doubt)) return "";
  return absl::StrFormat("hopeless: about %.2g s is more than %g times the best candidate's %.4g s", seconds,
                         sampling_.hopeless_factor(), sampling_.best_seconds());
}

}  // namespace tune
