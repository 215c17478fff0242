#include "worker/run/device_pool.h"

#include "absl/time/clock.h"

namespace tune {
namespace {

// How soon a cancellation is noticed by who waits for a device.
constexpr absl::Duration kPollInterval = absl::Milliseconds(50);

}  // namespace

DevicePool::DevicePool(std::vector<Member> members) : members_(std::move(members)) {
  for (size_t i = members_.size(); i > 0; --i) free_.push_back(i - 1);
}

absl::StatusOr<RunOutcome> DevicePool::Run(const CudaRunRequest& request) {
  size_t member;
  const absl::Time start = absl::Now();
  {
    absl::MutexLock lock(&mutex_);
    const auto available = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !free_.empty(); };
    while (!mutex_.AwaitWithTimeout(absl::Condition(&available), kPollInterval)) {
      if (request.cancellation != nullptr && request.cancellation->cancelled()) {
        return absl::CancelledError("cancelled");
      }
    }
    member = free_.back();
    free_.pop_back();
  }
  const absl::Time taken = absl::Now();
  absl::StatusOr<RunOutcome> outcome = members_[member].runner->Run(request);
  if (outcome.ok()) {
    outcome->device = members_[member].name;
    outcome->waited_seconds = absl::ToDoubleSeconds(taken - start);
  }
  absl::MutexLock lock(&mutex_);
  free_.push_back(member);
  return outcome;
}

}  // namespace tune
