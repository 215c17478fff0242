// Threads for connections of the page: as many as there are connections, up to a bound.
#pragma once

#include <httplib.h>

#include <deque>
#include <functional>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace tune {

// A connection that sends nothing holds its thread until the read times out, so a fixed number of threads is
// soon taken up by idle ones. Threads are made when none is free, and end when they have had nothing to do
// for a while. Thread safe.
class ConnectionThreads : public httplib::TaskQueue {
 public:
  // More connections than `most` wait for a thread. `idle`: how long a thread without work stays.
  explicit ConnectionThreads(int most, absl::Duration idle = absl::Seconds(10)) : most_(most), idle_(idle) {}
  ~ConnectionThreads() override { shutdown(); }

  void enqueue(std::function<void()> connection) override;
  // Waits for the connections that were begun; those that were not are run, too.
  void shutdown() override;

  int CountThreads() const;

 private:
  static void* Run(void* self);
  void Work();
  bool HasWork() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !waiting_.empty() || ended_; }
  bool NoThreads() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return threads_ == 0; }

  const int most_;
  const absl::Duration idle_;
  mutable absl::Mutex mutex_;
  std::deque<std::function<void()>> waiting_ ABSL_GUARDED_BY(mutex_);
  int threads_ ABSL_GUARDED_BY(mutex_) = 0;
  int free_ ABSL_GUARDED_BY(mutex_) = 0;  // of them, without work
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace tune
