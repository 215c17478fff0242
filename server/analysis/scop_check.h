// Whether a scop from elsewhere can be worked with, and its identity, found where it can do no harm.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/scop/scop_identity.h"
#include "server/analysis/analyser.h"

namespace tune {

struct ScopCheckOptions {
  AnalyserOptions analyser;
  // Processes at the same time: those that have just begun, and those that are at work for longer than
  // `quick`, as hardly any scop of people is.
  int processes = 8, slow_processes = 4;
  absl::Duration quick = absl::Seconds(1);
  absl::Duration patience = absl::Seconds(60);  // of those that wait for their turn
  size_t kept = 1000;                           // results that are remembered
};

// Thread safe. Each scop is looked at by a process of its own; calls wait for their turn, and hold no lock
// while a process works. Scops that take long do not keep others waiting: they go on beside those that begin,
// a few at a time, and more of them are refused. Results are remembered: the same scop comes again with
// look-up, submission and import.
class ScopCheck {
 public:
  explicit ScopCheck(ScopCheckOptions options) : options_(std::move(options)) {}

  // INVALID_ARGUMENT: a text is not in its notation, or the parts do not fit together (ParseScop);
  // RESOURCE_EXHAUSTED: too complex, or it ended the process; UNAVAILABLE: there is no process, or too many
  // scops, or too many that take long, are being looked at.
  absl::StatusOr<ScopIdentity> Identify(const v1::Scop& scop);

 private:
  using Result = absl::StatusOr<ScopIdentity>;
  // Where a process counts.
  enum class Lane { kBegun, kSlow };
  Result Ask(const v1::Scop& scop, Lane* lane);
  // Whether a process may go on that has been at work since then.
  bool GoesOn(absl::Time since, Lane* lane);
  void Remember(const std::string& name, const Result& result);
  bool HasTurn() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return running_ < options_.processes; }

  const ScopCheckOptions options_;
  absl::Mutex mutex_;
  int running_ ABSL_GUARDED_BY(mutex_) = 0, slow_ ABSL_GUARDED_BY(mutex_) = 0;  // by lane
  std::map<std::string, Result> results_ ABSL_GUARDED_BY(mutex_);  // by fingerprint of the message
  std::deque<std::string> order_ ABSL_GUARDED_BY(mutex_);          // of their coming
};

}  // namespace tune
