// A worker's call by a thread that waits for its answer.
#pragma once

#include <functional>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "server/study/coordinator.h"

namespace tune {

// `gone` is asked now and then whether the caller has left.
inline absl::StatusOr<v1::SynchronizeResponse> SynchronizeNow(
    Coordinator& coordinator, const v1::SynchronizeRequest& request,
    const std::function<bool()>& gone = [] { return false; }) {
  TUNE_ASSIGN_OR_RETURN(Synchronization call, coordinator.Synchronize(request));
  while (!gone() && !call.Look()) {
    absl::Notification woken;
    const Waiting next = call.Wait([&woken] { woken.Notify(); });
    if (next == Waiting::kOver) break;
    if (next == Waiting::kChanged) continue;
    while (!woken.WaitForNotificationWithTimeout(
        std::min(absl::Milliseconds(20), call.deadline() - absl::Now()))) {
      if (gone() || absl::Now() >= call.deadline()) call.Wake();
    }
  }
  return call.Finish();
}

}  // namespace tune
