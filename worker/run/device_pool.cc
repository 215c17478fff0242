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

std::optional<size_t> DevicePool::Take(Cancellation* cancellation) {
  absl::MutexLock lock(&mutex_);
  const auto available = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !free_.empty(); };
  while (!mutex_.AwaitWithTimeout(absl::Condition(&available), kPollInterval)) {
    if (cancellation != nullptr && cancellation->cancelled()) return std::nullopt;
  }
  const size_t member = free_.back();
  free_.pop_back();
  return member;
}

void DevicePool::Return(size_t member) {
  absl::MutexLock lock(&mutex_);
  free_.push_back(member);
}

absl::StatusOr<RunOutcome> DevicePool::Run(CudaRunRequest request,
                                           const std::function<void(v1::CudaJob*)>& at_last) {
  const absl::Time start = absl::Now();
  const std::optional<size_t> member = Take(request.cancellation);
  if (!member.has_value()) return absl::CancelledError("cancelled");
  const absl::Time taken = absl::Now();
  if (at_last) at_last(&request.job);
  absl::StatusOr<RunOutcome> outcome = members_[*member].runner->Run(request);
  if (outcome.ok()) {
    outcome->device = members_[*member].name;
    outcome->waited_seconds = absl::ToDoubleSeconds(taken - start);
  }
  Return(*member);
  return outcome;
}

void DevicePool::Prepare() {
  for (const Member& member : members_) member.runner->Prepare();
}

bool DevicePool::WithDevice(Cancellation* cancellation, const std::function<void(int ordinal)>& use) {
  const std::optional<size_t> member = Take(cancellation);
  if (!member.has_value()) return false;
  use(members_[*member].ordinal);
  Return(*member);
  return true;
}

}  // namespace tune
