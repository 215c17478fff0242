// How candidates are timed: one protocol for the host and for devices.
#pragma once

#include <vector>

#include "worker/measure/runnable.h"

namespace tune {

// Where candidates run.
class Surroundings {
 public:
  virtual ~Surroundings() = default;

  // Before the first sample, such as warming clocks.
  virtual absl::Status Prepare() { return absl::OkStatus(); }
  // Something disturbed the samples taken since the last call, which are taken again. Not true for ever.
  virtual bool Disturbed() { return false; }
  // Nothing more can be run.
  virtual bool Over() const = 0;
  // Whether runs that took `seconds` before would end, with a margin, before the time of the job is over.
  virtual bool TimeFor(double seconds) const = 0;
  // Seconds of a clock that never jumps.
  virtual double Now() const = 0;
  // Why a candidate was not measured that there was no time for.
  virtual std::string TimeIsOver() const = 0;
};

// Samples of one candidate until its rule is satisfied, it is out of the race, or the time is up, with runs
// on fresh inputs between them.
absl::Status MeasureAlone(Runnable& runnable, Surroundings& surroundings, const v1::Sampling& sampling);

// The check of a candidate that was measured: what its last run left, since a race shows in some runs only,
// and the fresh inputs that are left.
absl::Status CheckAgain(Runnable& runnable, Surroundings& surroundings);

// Rounds of one sample for each candidate that is alive, until all rules are satisfied or the time is up. A
// round that was not completed counts only when it is the first. Who had no turn is judged by its first run.
absl::Status MeasureInTurns(const std::vector<Runnable*>& runnables, Surroundings& surroundings,
                            const v1::Sampling& sampling);

}  // namespace tune
