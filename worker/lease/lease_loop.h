// Keeps server and work together: one thread talks, one for each slot works.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "worker/lease/lease_state.h"
#include "worker/lease/task_executor.h"
#include "worker/lease/transport.h"

namespace tune {

class LeaseLoop {
 public:
  // Transport and executor are not owned.
  // `patience`: how long Run waits at its end for work that was told to stop, before it abandons it.
  LeaseLoop(WorkerIdentity identity, Transport* transport, TaskExecutor* executor, uint64_t jitter_seed,
            absl::Duration patience = absl::Seconds(1));

  // Serves until Stop or Drain. Returns OK then; an error when the server will never accept this worker
  // (wrong version, no permission, name in use), with what to do. A server that cannot be reached is
  // waited for. Call once.
  absl::Status Run();

  // After Run: some work that did not notice its cancellation within a second is still going on in a thread
  // that uses this object, transport and executor. The process should end without destroying them.
  bool abandoned() const { return abandoned_; }

  // May be called from any thread, also before Run. Stop gives the lease back at once and kills its work;
  // Drain finishes it first.
  void Stop();
  void Drain();

 private:
  struct Work {
    v1::Lease lease;
    std::shared_ptr<Cancellation> cancellation;
  };

  void LeaveExecutors(std::vector<std::thread> executors);
  void ExecuteAll();
  void Execute(const Work& work);
  void Finish(const v1::Lease& lease, absl::StatusOr<v1::LeaseResult> result, absl::Duration time)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Synchronize();
  void Apply(const LeaseActions& actions) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void LogConnection(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Transport* const transport_;
  TaskExecutor* const executor_;
  absl::Mutex mutex_;
  absl::CondVar changed_;
  const int slots_;
  const absl::Duration patience_;
  LeaseState state_ ABSL_GUARDED_BY(mutex_);
  std::deque<Work> queue_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<Cancellation>> cancellations_ ABSL_GUARDED_BY(mutex_);
  int working_ ABSL_GUARDED_BY(mutex_) = 0;           // executors that do something
  bool waiting_ ABSL_GUARDED_BY(mutex_) = false;      // a call that waits for leases is on its way
  bool interrupted_ ABSL_GUARDED_BY(mutex_) = false;  // Transport::Interrupt was called
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;  // Run is about to return
  bool abandoned_ = false;
  std::string logged_quarantine_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tune
