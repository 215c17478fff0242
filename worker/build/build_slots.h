// A limit on how many candidates are made at once.
#pragma once

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace tune {

// Places for work that keeps a processor busy. A worker takes more leases than it has places: candidates that
// wait for a device hold none. Thread safe.
class BuildSlots {
 public:
  explicit BuildSlots(int count) : free_(count) {}
  BuildSlots(const BuildSlots&) = delete;
  BuildSlots& operator=(const BuildSlots&) = delete;

  // Has one of the places, for which the constructor waits; null: needs none.
  class Hold {
   public:
    explicit Hold(BuildSlots* slots) : slots_(slots) {
      if (slots_ == nullptr) return;
      absl::MutexLock lock(&slots_->mutex_, absl::Condition(slots_, &BuildSlots::HasFree));
      --slots_->free_;
    }
    ~Hold() {
      if (slots_ == nullptr) return;
      absl::MutexLock lock(&slots_->mutex_);
      ++slots_->free_;
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    BuildSlots* const slots_;
  };

 private:
  bool HasFree() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return free_ > 0; }

  absl::Mutex mutex_;
  int free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tune
