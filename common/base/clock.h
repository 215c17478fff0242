// Time, injected, so that expiry and retry are tested without sleeping.
#pragma once

#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace tune {

// Thread safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // The calendar's, as people set it: it may step either way. For times that are shown or stored.
  virtual absl::Time Now() const = 0;
  // For durations: goes on evenly from an arbitrary beginning, also while the machine sleeps.
  virtual absl::Time Steady() const = 0;

  // The system's clock; never destroyed.
  static const Clock& Real();
};

// Stands still until it is told to move.
class ManualClock : public Clock {
 public:
  explicit ManualClock(absl::Time now = absl::FromUnixSeconds(1'000'000'000)) : now_(now) {}
  absl::Time Now() const override {
    absl::MutexLock lock(&mutex_);
    return now_ + step_;
  }
  absl::Time Steady() const override {
    absl::MutexLock lock(&mutex_);
    return now_;
  }
  void Advance(absl::Duration by) {
    absl::MutexLock lock(&mutex_);
    now_ += by;
  }
  // Somebody sets the calendar.
  void Step(absl::Duration by) {
    absl::MutexLock lock(&mutex_);
    step_ += by;
  }

 private:
  mutable absl::Mutex mutex_;
  absl::Time now_ ABSL_GUARDED_BY(mutex_);
  absl::Duration step_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tune
