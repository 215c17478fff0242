// What a candidate's time is compared with while it is measured.
#pragma once

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "worker/run/cancellation.h"

namespace tune {

// The shortest time of a study's candidates that this worker knows of: from the server when the candidate was
// leased, or measured here since then. Thread safe.
class BestTime {
 public:
  // 0: none.
  void Offer(double seconds);
  // 0: none yet.
  double seconds() const;

  // While one lives, a time is on its way that is worth waiting for: that of the default, which bounds what
  // the others may cost.
  class Awaited {
   public:
    explicit Awaited(BestTime* best);
    ~Awaited();
    Awaited(const Awaited&) = delete;
    Awaited& operator=(const Awaited&) = delete;

   private:
    BestTime* const best_;
  };
  // Returns once none is on its way, or after a cancellation. `cancellation` may be null. How long it took,
  // in seconds.
  double Wait(Cancellation* cancellation) const;

 private:
  mutable absl::Mutex mutex_;
  double seconds_ ABSL_GUARDED_BY(mutex_) = 0;
  int awaited_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace tune
