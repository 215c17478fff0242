#include "worker/lease/host_turns.h"

namespace tune {

HostTurns::Turn::Turn(HostTurns* host, HostUse use) : host_(host), use_(use) {
  absl::MutexLock lock(&host_->mutex_);
  HostCrowd& crowd = host_->crowd_;
  int& waiting = use_ == HostUse::kAlone ? crowd.waiting : crowd.others_waiting;
  ++waiting;
  const auto admitted = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(host_->mutex_) {
    return host_->crowd_.Admits(use_);
  };
  host_->mutex_.Await(absl::Condition(&admitted));
  --waiting;
  if (use_ != HostUse::kAlone && crowd.next > 0) --crowd.next;
  found_others_ = crowd.candidates + crowd.originals > 0;
  number_ = ++host_->begun_;
  ++crowd.Of(use_);
}

HostTurns::Turn::~Turn() {
  absl::MutexLock lock(&host_->mutex_);
  HostCrowd& crowd = host_->crowd_;
  --crowd.Of(use_);
  if (use_ == HostUse::kAlone) crowd.next = crowd.others_waiting;
}

bool HostTurns::Turn::beside_others() const {
  absl::MutexLock lock(&host_->mutex_);
  return found_others_ || host_->begun_ > number_;
}

}  // namespace tune
