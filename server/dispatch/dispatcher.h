// Who works on what: leases, workers, retries. Knows nothing of what tasks contain.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/base/clock.h"
#include "server/dispatch/dispatch_options.h"
#include "server/dispatch/task_queue.h"
#include "server/dispatch/usage_meter.h"
#include "server/dispatch/worker.h"

namespace tune {

// Something that happened to a task besides its result. The caller tells the task's study.
struct TaskEvent {
  enum Kind {
    kReturned,   // its lease came back; it is pending again
    kLost,       // its lease was lost with the worker; it is pending again
    kAbandoned,  // lost once too often: it is not handed out again
    kAdopted,    // leased under a lease of an earlier run of the server
  };
  Kind kind = kReturned;
  TaskId task;
  int64_t attempts = 0;
  int lost = 0;
  bool poisoned = false;  // kAbandoned: different workers were lost
  std::string worker;
};

// A task given to a worker.
struct Grant {
  TaskId task;
  std::string lease_id;
  int64_t attempt = 0;
};

// What a result is for.
struct Claim {
  TaskId task;
  bool granted = false;  // the lease was given to the worker's session; else the result is nobody's
  bool current = false;  // the lease holds; else the result is an extra sample
  v1::Device device;     // of the worker, on which the study runs
};

// What came of a task that was run.
struct RunResult {
  v1::Outcome outcome = v1::OUTCOME_UNSPECIFIED;  // of an evaluation, unless it is a copy of another one
  std::string message;                            // for people
  double seconds = 0;                             // median, when CORRECT
};

// Start of a Synchronize call.
struct CallEntry {
  uint64_t call = 0;
  std::vector<std::string> cancelled;  // listed leases that are not the worker's (any more)
};

// What a call that has found nothing does next.
enum class Waiting {
  kWaits,    // it will be woken
  kChanged,  // something has changed since it looked: it looks again
  kOver,     // it answers now: a newer call of the worker has come, or the server ends
};

// Thread safe; calls nothing that takes another lock, but what wakes waiting calls. Time is read once per
// call, from the steady clock: leases do not follow the calendar.
class Dispatcher {
 public:
  // `run` is this run's number: leases of earlier runs are recognised, by the seal that `lease_key` makes,
  // and taken over.
  Dispatcher(const DispatchOptions& options, const Clock* clock, int64_t run, const std::string& lease_key);

  // Studies and their tasks.
  void AddStudy(int64_t study, const StudyTraits& traits);
  // From now on for devices of this kind only.
  void BindStudy(int64_t study, const v1::Device& device);
  void RemoveStudy(int64_t study);  // its leases are cancelled
  void SetKnownGood(int64_t study, int64_t candidate_index);
  void AddTask(const TaskId& task, int64_t attempts = 0, int lost = 0);

  // One Synchronize call: Enter; per result Claim, then Complete once it is stored (or Unclaim
  // when it could not be); Grant; when there is nothing to say Wait, and Grant again when woken; Leave.
  // FAILED_PRECONDITION: another process uses the worker's name. RESOURCE_EXHAUSTED: too many workers are
  // known.
  absl::StatusOr<CallEntry> Enter(const v1::SynchronizeRequest& request, std::vector<TaskEvent>* events);
  Claim ClaimResult(const std::string& worker, const v1::LeaseResult& result, std::vector<TaskEvent>* events);
  void Complete(const std::string& worker, const std::string& lease_id, const RunResult& result);
  void Unclaim(const std::string& lease_id);
  // At most `free_slots` new ones, and in all no more than its devices have slots.
  std::vector<Grant> GrantLeases(const std::string& worker, uint64_t call, int free_slots);
  // Takes back a lease that was granted and not told to anybody; its task is gone or pending again.
  void Withdraw(const std::string& lease_id);
  // Takes back a lease whose work was lost, for a reason that nobody knows, on a worker that goes on.
  void Lose(const std::string& lease_id, std::vector<TaskEvent>* events);
  // kWaits: `wake` is called once, when something has changed for the worker, by a thread that holds the
  // dispatcher's lock: it hands the call over to another thread and does nothing else.
  Waiting Wait(const std::string& worker, uint64_t call, std::function<void()> wake);
  // Something has changed for the call itself: its time is up, or its caller has left.
  void Wake(const std::string& worker, uint64_t call);
  // A lease of the worker was cancelled and it has not been told.
  bool HasCancelled(const std::string& worker);
  // Fills next_synchronization_ms, quarantine, cancelled.
  void Leave(const std::string& worker, uint64_t call, const v1::SynchronizeRequest& request,
             v1::SynchronizeResponse* response);

  // No more leases for the worker's devices on which the study can run, whatever session it comes with, until
  // the server has forgotten it; `why` is for people. Does nothing when it is not known.
  void SetAside(const std::string& worker, int64_t study, const std::string& why);
  // Those that were set aside since the last call, for whatever reason: what they did before is doubtful.
  struct SetAsideNote {
    std::string worker;
    DeviceKind kind;
  };
  std::vector<SetAsideNote> TakeSetAsides();
  // Whether the worker, where it is known, was set aside for these devices.
  bool IsSetAside(const std::string& worker, int64_t study) const;

  // Ends what has run out of time. Called once in a while, and by nothing else: after a pause of the server
  // ForgivePause comes first.
  std::vector<TaskEvent> Expire();
  // The server itself stood still for so long (stopped, swapped out, its machine asleep), so that nobody
  // could renew anything: all time limits move by that. Does nothing for less than
  // DispatchOptions::shortest_pause.
  void ForgivePause(absl::Duration pause);

  // For how long the owner's studies have had devices in the last 24 hours.
  absl::Duration DeviceTimeOf(const std::string& owner) const;

  std::vector<v1::WorkerView> ListWorkers() const;
  int CountWorkers() const;
  // How many waiting calls were woken for a new task so far.
  int64_t CountWakeUps() const;
  // Every Wait ends now and from now on.
  void Shutdown();
  const DispatchOptions& options() const { return options_; }

 private:
  struct LeaseRecord {
    TaskId task;
    std::string worker;
    DeviceKind device;  // of the worker, that it is for
    std::string owner;  // of the study
    absl::Time granted;
    absl::Time expires;
    absl::Time deadline;  // no renewal goes beyond it
    std::string stage;
    bool claimed = false;  // its result is being stored

    void Renew(absl::Time now, absl::Duration lease) { expires = std::min(now + lease, deadline); }
  };

  absl::StatusOr<Worker*> Welcome(const v1::SynchronizeRequest& request, absl::Time now,
                                  std::vector<TaskEvent>* events) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Adopt(Worker& worker, const std::string& lease_id, absl::Time now, std::vector<TaskEvent>* events)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RenewOrReturn(Worker& worker, const v1::SynchronizeRequest& request, absl::Time now, CallEntry* entry,
                     std::vector<TaskEvent>* events) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Ends a lease without result. `lost`: it counts against the task.
  void EndLease(const std::string& lease_id, bool lost, std::vector<TaskEvent>* events)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EraseLease(const std::string& lease_id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Grant MakeLease(Worker& worker, const DeviceKind& device, const TaskId& task, int64_t attempt,
                  absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  LeaseRecord RecordOf(const Worker& worker, const DeviceKind& device, const TaskId& task, absl::Time now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int FreeSlots(const Worker& worker, const DeviceKind& kind) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasWorkerWith(v1::Target target) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Of a worker's devices of a kind; made when it is not known yet.
  KindConduct& ConductOf(Worker& worker, const DeviceKind& kind) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::optional<Grant> GrantProbe(Worker& worker, KindConduct& conduct, absl::Time now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A candidate that another worker has measured, of a study that is still there.
  std::optional<Grant> GrantCheck(Worker& worker, const PaceKind& kind, absl::Time now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool AdmitTask(const QueuedStudy& study, const v1::Device& device, const TaskId& task)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsForAnother(const Worker& worker, const QueuedStudy& study, const TaskId& task)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void JudgeDevices(Worker& worker, const std::string& lease_id, const LeaseRecord& lease,
                    const RunResult& result) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The result of a lease beside those of other workers for the same candidate.
  void CompareWorkers(const Worker& worker, const LeaseRecord& lease, const RunResult& result)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetAside(Worker& worker, const DeviceKind& kind, const std::string& why)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // What the worker did so far is compared no more.
  void ForgetTrust(const std::string& worker) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Of devices on which the study can run; of several kinds that of the first device.
  std::optional<DeviceKind> KindFor(const Worker& worker, int64_t study) const
      ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  void JudgeProbe(Worker& worker, KindConduct& conduct, const TaskId& task, v1::Outcome outcome,
                  const std::string& message) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WakeWorkersFor(const TaskId& task) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WakeAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WakeUp(Worker& worker) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetHungry(Worker& worker, bool hungry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Those to whom tasks were refused, when there are any.
  void WakeHungry() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The same, once in DispatchOptions::second_look.
  void LookAgain(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Worker* FindWorker(const std::string& name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const DispatchOptions options_;
  const Clock* const clock_;
  const int64_t run_;
  const LeaseSeal seal_;

  mutable absl::Mutex mutex_;
  bool shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  TaskQueue queue_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::unique_ptr<Worker>> workers_ ABSL_GUARDED_BY(mutex_);
  // Their calls have asked for leases and got none: those to wake for the next task.
  std::set<Worker*> hungry_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, LeaseRecord> leases_ ABSL_GUARDED_BY(mutex_);
  std::map<PaceKind, WorkerTrust> trust_ ABSL_GUARDED_BY(mutex_);
  std::vector<SetAsideNote> set_asides_ ABSL_GUARDED_BY(mutex_);  // not told yet
  UsageMeter usage_ ABSL_GUARDED_BY(mutex_);
  int64_t probes_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t wake_ups_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Time looked_again_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
};

}  // namespace tune
