#include "server/dashboard/connection_threads.h"

#include <pthread.h>
#include <spdlog/spdlog.h>

#include <cstring>
#include <utility>

namespace tune {
namespace {

// Enough for a request and its answer; the system's default of 8 MiB is a lot for thousands of threads.
constexpr size_t kStackBytes = 1 << 20;

}  // namespace

void ConnectionThreads::enqueue(std::function<void()> connection) {
  absl::MutexLock lock(&mutex_);
  waiting_.push_back(std::move(connection));
  if (static_cast<int>(waiting_.size()) <= free_ || threads_ >= most_) return;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, Run, this);
  pthread_attr_destroy(&attributes);
  if (error == 0) {
    ++threads_;
  } else if (threads_ == 0) {
    spdlog::error("page: no thread can be made: {}", std::strerror(error));
  }
}

void* ConnectionThreads::Run(void* self) {
  static_cast<ConnectionThreads*>(self)->Work();
  return nullptr;
}

void ConnectionThreads::Work() {
  absl::MutexLock lock(&mutex_);
  while (true) {
    ++free_;
    mutex_.AwaitWithTimeout(absl::Condition(this, &ConnectionThreads::HasWork), idle_);
    --free_;
    if (waiting_.empty()) break;
    const std::function<void()> connection = std::move(waiting_.front());
    waiting_.pop_front();
    mutex_.Unlock();
    connection();
    mutex_.Lock();
  }
  --threads_;
}

void ConnectionThreads::shutdown() {
  absl::MutexLock lock(&mutex_);
  ended_ = true;
  mutex_.Await(absl::Condition(this, &ConnectionThreads::NoThreads));
}

int ConnectionThreads::CountThreads() const {
  absl::MutexLock lock(&mutex_);
  return threads_;
}

}  // namespace tune
