#include "worker/lease/host_turns.h"

namespace tune {

HostTurns::Turn::Turn(HostTurns* host, HostUse use) : host_(host), use_(use) {
  absl::MutexLock lock(&host_->mutex_);
  HostCrowd& crowd = host_->crowd_;
  if (use_ == HostUse::kAlone) ++crowd.waiting;
  const auto admitted = [&crowd, use] { return crowd.Admits(use); };
  host_->mutex_.Await(absl::Condition(&admitted));
  if (use_ == HostUse::kAlone) --crowd.waiting;
  found_others_ = crowd.candidates + crowd.originals > 0;
  number_ = ++host_->begun_;
  ++crowd.Of(use_);
}

HostTurns::Turn::~Turn() {
  absl::MutexLock lock(&host_->mutex_);
  --host_->crowd_.Of(use_);
}

bool HostTurns::Turn::beside_others() const {
  absl::MutexLock lock(&host_->mutex_);
  return found_others_ || host_->begun_ > number_;
}

}  // namespace tune
