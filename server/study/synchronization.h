// One call of a worker, from its coming to its answer.
#pragma once

#include <functional>
#include <string>

#include "absl/time/time.h"
#include "server/dispatch/dispatcher.h"
#include "tune/v1/worker_service.pb.h"

namespace tune {

class Coordinator;

// Needs no thread while it waits. Made by Coordinator::Synchronize, which has taken its results in. Then:
// Look, and while that says no, Wait, and Look again when woken; in the end Finish, always. Not thread safe,
// but for Wake.
class Synchronization {
 public:
  // Takes leases. Whether there is an answer, or no time is left to wait for one.
  bool Look();
  // As Dispatcher::Wait.
  Waiting Wait(std::function<void()> wake) const;
  // Its time is up, or its caller has left.
  void Wake() const;
  // The answer. Tasks that it was woken for and has not looked at are others' now.
  v1::SynchronizeResponse Finish();

  // Of waiting.
  absl::Time deadline() const { return deadline_; }

 private:
  friend class Coordinator;
  Synchronization(Coordinator* coordinator, v1::SynchronizeRequest request);

  Coordinator* coordinator_;
  v1::SynchronizeRequest request_;  // without its results
  uint64_t call_ = 0;
  bool urgent_ = false;  // there is something to say even without leases
  absl::Time deadline_;
  v1::SynchronizeResponse response_;
};

}  // namespace tune
