#include "server/service/call_threads.h"

#include <utility>

namespace tune {
namespace {

// The store takes one writer at a time, so more would wait for each other.
constexpr int kShort = 8;
// Transfers of programs and archives to slow callers, mostly.
constexpr int kLong = 64;
// Of one caller at one service. Two services look at regions: less than are looked at at once
// (ScopCheckOptions::processes).
constexpr int kLongAtOnce = 3;
constexpr size_t kWaiting = 1000;

}  // namespace

CallThreads::CallThreads() : turns_(kLongAtOnce, kWaiting), short_(kShort), long_(kLong) {}

CallThreads::Pool::Pool(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

CallThreads::Pool::~Pool() {
  {
    absl::MutexLock lock(&mutex_);
    ending_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

void CallThreads::Pool::Run(std::function<void()> work) {
  absl::MutexLock lock(&mutex_);
  waiting_.push_back(std::move(work));
}

void CallThreads::Pool::Work() {
  while (true) {
    std::function<void()> work;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(this, &Pool::HasWork));
      if (waiting_.empty()) return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    work();
  }
}

}  // namespace tune
