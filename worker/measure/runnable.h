// What is measured: one candidate, on the host or on a device, that was run once and found right.
#pragma once

#include <optional>
#include <string>

#include "common/base/status.h"
#include "tune/v1/runner.pb.h"
#include "worker/measure/stopping_rule.h"

namespace tune {

// Any step may end the candidate, whose verdict then says so: it is not alive any more. Errors are not the
// candidate's fault and end the job.
class Runnable {
 public:
  explicit Runnable(const v1::Sampling& sampling) : rule_(sampling) {}
  virtual ~Runnable() = default;
  Runnable(const Runnable&) = delete;
  Runnable& operator=(const Runnable&) = delete;

  // Nothing has ended it.
  virtual bool alive() const = 0;
  // Ends it.
  virtual void Fail(v1::Outcome outcome, std::string message) = 0;

  // Of its first run.
  virtual double first_seconds() const = 0;
  // A first run that took longer than this is not slow because all is cold.
  virtual double significant_seconds() const = 0;

  // Seconds of a run on the recorded inputs; nothing when it ended the candidate.
  virtual absl::StatusOr<std::optional<double>> TimedRun() = 0;
  // Compares what the last run left with what is expected.
  virtual absl::Status CheckOutputs() = 0;

  // Whether there are inputs that it has not seen and is still to run on; whether such a run comes before the
  // next sample, after so many of them, which the candidate cannot know.
  virtual bool FreshRunLeft() const = 0;
  virtual bool FreshRunDue(int samples) const = 0;
  // Runs it on them and compares. The recorded inputs are in place again then. Precondition: FreshRunLeft().
  virtual absl::Status RunOnFreshInputs() = 0;

  // Nothing of it runs until its next run.
  virtual void Rest() {}

  StoppingRule& rule() { return rule_; }
  const StoppingRule& rule() const { return rule_; }

  // What a run takes with all that belongs to it, by the last ones.
  double run_seconds() const { return run_seconds_; }
  void set_run_seconds(double seconds) { run_seconds_ = seconds; }

 private:
  StoppingRule rule_;
  double run_seconds_ = 0;
};

}  // namespace tune
