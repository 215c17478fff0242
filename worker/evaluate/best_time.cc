#include "worker/evaluate/best_time.h"

#include <algorithm>

#include "absl/time/clock.h"

namespace tune {
namespace {

// How soon a cancellation is noticed by who waits.
constexpr absl::Duration kCancellationInterval = absl::Milliseconds(50);

}  // namespace

void BestTime::Offer(double seconds) {
  if (seconds <= 0) return;
  absl::MutexLock lock(&mutex_);
  seconds_ = seconds_ > 0 ? std::min(seconds_, seconds) : seconds;
}

double BestTime::seconds() const {
  absl::MutexLock lock(&mutex_);
  return seconds_;
}

BestTime::Awaited::Awaited(BestTime* best) : best_(best) {
  absl::MutexLock lock(&best_->mutex_);
  ++best_->awaited_;
}

BestTime::Awaited::~Awaited() {
  absl::MutexLock lock(&best_->mutex_);
  --best_->awaited_;
}

double BestTime::Wait(Cancellation* cancellation) const {
  const absl::Time start = absl::Now();
  absl::MutexLock lock(&mutex_);
  const auto known = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return awaited_ == 0; };
  while (!mutex_.AwaitWithTimeout(absl::Condition(&known), kCancellationInterval)) {
    if (cancellation != nullptr && cancellation->cancelled()) break;
  }
  return absl::ToDoubleSeconds(absl::Now() - start);
}

}  // namespace tune
