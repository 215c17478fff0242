// Threads for the work that calls make.
#pragma once

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "server/service/turns.h"

namespace tune {

// How long the work of a call may take.
enum class Work {
  kShort,  // it waits for nothing but locks and the store: that of workers, of views
  kLong,   // it may wait for its caller's next bytes, or for another process
};

// Thread safe. Its destructor waits for everything that was given to it.
class CallThreads {
 public:
  CallThreads();

  // Short work goes on however busy the threads for long work are.
  void Run(Work kind, std::function<void()> work) {
    (kind == Work::kShort ? short_ : long_).Run(std::move(work));
  }
  // Of long calls, which take theirs before their message is read.
  Turns& turns() { return turns_; }

 private:
  // Threads that take work in the order of its coming.
  class Pool {
   public:
    explicit Pool(int threads);
    ~Pool();
    void Run(std::function<void()> work);

   private:
    void Work();
    bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return ending_ || !waiting_.empty(); }

    absl::Mutex mutex_;
    bool ending_ ABSL_GUARDED_BY(mutex_) = false;
    std::deque<std::function<void()>> waiting_ ABSL_GUARDED_BY(mutex_);
    std::vector<std::thread> threads_;
  };

  Turns turns_;
  Pool short_, long_;
};

}  // namespace tune
