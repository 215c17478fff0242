#include "server/study/synchronization.h"

#include "absl/time/clock.h"
#include "server/study/coordinator.h"

namespace tune {

Synchronization::Synchronization(Coordinator* coordinator, v1::SynchronizeRequest request)
    : coordinator_(coordinator), request_(std::move(request)) {}

bool Synchronization::Look() {
  coordinator_->AddLeases(request_.worker(), call_, request_.free_slots(), &response_);
  return urgent_ || response_.leases_size() > 0 || absl::Now() >= deadline_ ||
         coordinator_->dispatcher_.HasCancelled(request_.worker());
}

Waiting Synchronization::Wait(std::function<void()> wake) const {
  return coordinator_->dispatcher_.Wait(request_.worker(), call_, std::move(wake));
}

void Synchronization::Wake() const { coordinator_->dispatcher_.Wake(request_.worker(), call_); }

v1::SynchronizeResponse Synchronization::Finish() {
  coordinator_->dispatcher_.Leave(request_.worker(), call_, request_, &response_);
  return std::move(response_);
}

}  // namespace tune
