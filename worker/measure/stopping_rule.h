// When enough samples of a candidate have been taken.
#pragma once

#include <string>
#include <vector>

#include "tune/v1/runner.pb.h"

namespace tune {

// Collects the samples of one candidate and says when they suffice. The precision asked for is that of
// the median's 95% confidence interval (common/evaluation/measurement.h), so the rule assumes nothing about
// the distribution of run times.
class StoppingRule {
 public:
  // Fields that are zero are filled by FillSampling.
  explicit StoppingRule(const v1::Sampling& sampling);

  void Add(double seconds) { samples_.push_back(seconds); }

  // The interval of the median is tight or lies above best_seconds (more samples of a loser decide nothing),
  // or there are max_samples; three are enough when each is more than twice best_seconds.
  bool Satisfied() const;

  // The first sample shows that the candidate is out of the race: it took more than hopeless_factor times
  // best_seconds. Never true while best_seconds is unknown.
  bool Hopeless() const;

  // Why the candidate is out of the race, in a line; empty while it is not. Its first sample shows it, or its
  // first run, of `first_seconds`, by the same measure; that run counts only when it took more than
  // `significant_seconds`, as shorter ones may be slow because all is cold.
  std::string HopelessReason(double first_seconds, double significant_seconds) const;

  // The same by an estimate of `seconds` that may be off by a factor of `doubt`.
  std::string HopelessByEstimate(double seconds, double doubt) const;

  const std::vector<double>& samples() const { return samples_; }

 private:
  bool Hopeless(double seconds) const;

  const v1::Sampling sampling_;
  std::vector<double> samples_;
};

// Puts defaults in place of zeros: 6 to 100 samples (6 is the smallest number for which a 95% interval of
// the median exists), precision 2%, 2 seconds, cut short when 10 times slower than the best.
v1::Sampling FillSampling(v1::Sampling sampling);

}  // namespace tune
