// What is believed of the times that a candidate's process tells.
#pragma once

#include <optional>
#include <vector>

#include "worker/run/candidate_process.h"

namespace tune {

// The judge knows how long a turn took; what of it is the region's the process says, which may lie. So a told
// time counts within bounds: it is at most the turn's, and at least the turn's less what a turn costs beside
// the region (two wake-ups, and the written arrays given their input again), which was measured with an empty
// region before the candidate was loaded.
class SampleBounds {
 public:
  // Of turns with an empty region, the first of which made pages and caches ready and does not count.
  // Precondition: two at least.
  explicit SampleBounds(const std::vector<TurnTime>& empty);

  // Seconds of a run; nothing when the process told what is no time: zero or less, or not finite.
  std::optional<double> Accept(const TurnTime& turn) const;

  // What a run on inputs that the candidate had not seen says of all others. It took `turn`, after the judge
  // had spent `writing` seconds on the inputs, during which the candidate may have begun. Such a run is
  // slower where it finds its data in another processor's caches; one that takes more than twice as long
  // shows that the others left something out. What the process did not spend on a processor it has waited for
  // one: that is no evidence. Seconds that a run takes at least; zero or less: no evidence.
  double LeastByFreshRun(const TurnTime& turn, double writing) const;

  // Seconds that a turn may cost beside the region: the nine tenths quantile of those measured, a quarter
  // more, and 5 us.
  double allowance() const { return allowance_; }

 private:
  double allowance_ = 0;
  double least_ = 0;  // of an empty region, by the process's clock
};

}  // namespace tune
