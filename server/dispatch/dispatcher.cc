#include "server/dispatch/dispatcher.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/evaluation/outcome.h"
#include "server/store/store.h"

namespace tune {
namespace {

// Of these the worker may be the reason. Time is none: a host that is busy for a moment exceeds limits, too.
bool IsSuspicious(v1::Outcome outcome) {
  return outcome == v1::COMPILE || outcome == v1::RUNTIME || outcome == v1::OOM || outcome == v1::CORRECTNESS;
}

}  // namespace

Dispatcher::Dispatcher(const DispatchOptions& options, const Clock* clock, int64_t run,
                       const std::string& lease_key)
    : options_(options), clock_(clock), run_(run), seal_(lease_key) {}

// ---- studies and tasks

void Dispatcher::AddStudy(int64_t study, const StudyTraits& traits) {
  absl::MutexLock lock(&mutex_);
  queue_.AddStudy(study, traits);
}

void Dispatcher::BindStudy(int64_t study, const v1::Device& device) {
  absl::MutexLock lock(&mutex_);
  if (QueuedStudy* found = queue_.FindStudy(study); found != nullptr) {
    found->target = device.target();
    found->model = device.model();
  }
  WakeAll();
}

void Dispatcher::RemoveStudy(int64_t study) {
  absl::MutexLock lock(&mutex_);
  for (const std::string& lease_id : queue_.RemoveStudy(study)) EraseLease(lease_id);
  for (auto it = leases_.begin(); it != leases_.end();) {  // probes are in no queue
    const std::string lease_id = it->first;
    const bool of_study = it->second.task.study == study;
    ++it;
    if (of_study) EraseLease(lease_id);
  }
  for (auto& [kind, trust] : trust_) trust.ForgetStudy(study);
  WakeAll();  // a place among the active studies may be free
}

void Dispatcher::SetKnownGood(int64_t study, int64_t candidate_index) {
  absl::MutexLock lock(&mutex_);
  if (QueuedStudy* found = queue_.FindStudy(study); found != nullptr) found->known_good = candidate_index;
}

void Dispatcher::AddTask(const TaskId& task, int64_t attempts, int lost) {
  absl::MutexLock lock(&mutex_);
  queue_.Add(task, attempts, lost);
  WakeWorkersFor(task);
}

// ---- results

Claim Dispatcher::ClaimResult(const std::string& worker_name, const v1::LeaseResult& result,
                              std::vector<TaskEvent>* events) {
  const absl::Time now = clock_->Steady();
  absl::MutexLock lock(&mutex_);
  Claim claim;
  Worker* worker = FindWorker(worker_name);
  if (worker == nullptr) return claim;
  const absl::StatusOr<LeaseName> name = seal_.Parse(result.lease_id(), {worker->name, worker->session});
  if (!name.ok()) {
    ++worker->refused;
    return claim;
  }
  claim.granted = true;
  claim.task = name->task;
  auto lease = leases_.find(result.lease_id());
  if (lease == leases_.end() && Adopt(*worker, result.lease_id(), now, events)) {
    lease = leases_.find(result.lease_id());
  }
  if (lease == leases_.end() || lease->second.worker != worker_name || lease->second.claimed) return claim;
  const v1::Device* device = FindDevice(*worker, lease->second.device);
  if (device == nullptr || queue_.FindStudy(claim.task.study) == nullptr) return claim;
  lease->second.claimed = true;
  claim.current = true;
  claim.device = *device;
  claim.device.clear_quarantine();
  return claim;
}

void Dispatcher::Complete(const std::string& worker_name, const std::string& lease_id,
                          const RunResult& result) {
  absl::MutexLock lock(&mutex_);
  const auto lease = leases_.find(lease_id);
  if (lease == leases_.end()) return;
  const TaskId task = lease->second.task;
  if (Worker* worker = FindWorker(worker_name); worker != nullptr) {
    JudgeDevices(*worker, lease_id, lease->second, result);
    CompareWorkers(*worker, lease->second, result);
  }
  EraseLease(lease_id);
  if (task.kind != TaskKind::kProbe) queue_.Remove(task);
}

void Dispatcher::Unclaim(const std::string& lease_id) {
  absl::MutexLock lock(&mutex_);
  if (const auto lease = leases_.find(lease_id); lease != leases_.end()) lease->second.claimed = false;
}

// Counts failures in a row; probes decide. Only failures that may be the worker's fault count.
void Dispatcher::JudgeDevices(Worker& worker, const std::string& lease_id, const LeaseRecord& lease,
                              const RunResult& result) {
  const v1::Outcome outcome = result.outcome;
  if (outcome == v1::OUTCOME_UNSPECIFIED) return;
  KindConduct& conduct = ConductOf(worker, lease.device);
  if (conduct.probe_lease == lease_id)
    return JudgeProbe(worker, conduct, lease.task, outcome, result.message);
  if (lease.task.kind == TaskKind::kProbe) return;  // a check: only the comparison counts
  ++worker.evaluations;
  if (outcome == v1::CORRECT) {
    conduct.failures_in_row = 0;
    conduct.failures_allowed = options_.suspicious_failures;
    return;
  }
  ++worker.failures;
  if (IsSuspicious(outcome)) ++conduct.failures_in_row;
}

// One of several devices may be the bad one, and the worker find out which: all of them get their chance. A
// probe that only took too long decides nothing: as many failures again lead to the next one.
void Dispatcher::JudgeProbe(Worker& worker, KindConduct& conduct, const TaskId& task, v1::Outcome outcome,
                            const std::string& message) {
  if (outcome == v1::CORRECT) {
    conduct.failures_in_row = conduct.failed_probes = 0;
    conduct.failures_allowed *= 2;
    return;
  }
  if (!IsSuspicious(outcome)) {
    conduct.failures_in_row = 0;
    return;
  }
  const std::vector<v1::Device> usable = UsableDevices(worker);
  const auto devices = std::count_if(
      usable.begin(), usable.end(), [&](const v1::Device& device) { return KindOf(device) == conduct.kind; });
  if (++conduct.failed_probes < devices) return;
  conduct.quarantine = absl::StrCat("candidate ", task.index, " of study ", StudyIdOf(task.study),
                                    ", which is known to be good, failed here (", OutcomeName(outcome),
                                    message.empty() ? "" : ": ", message,
                                    "); repair this worker's host and restart tune-worker");
  spdlog::warn("worker {}, {}: quarantined: {}", worker.name, conduct.kind.model, conduct.quarantine);
  WakeAll();  // an open study may have waited for this device
}

// ---- time

std::vector<TaskEvent> Dispatcher::Expire() {
  const absl::Time now = clock_->Steady();
  absl::MutexLock lock(&mutex_);
  std::vector<std::string> expired;
  for (const auto& [id, lease] : leases_) {
    const Worker* worker = FindWorker(lease.worker);
    const bool waits = worker != nullptr && worker->waiting != nullptr;
    const bool over = (now >= lease.expires && !waits) || now >= lease.deadline;
    if (over && !lease.claimed) expired.push_back(id);
  }
  std::vector<TaskEvent> events;
  for (const std::string& id : expired) EndLease(id, /*lost=*/true, &events);
  for (auto it = workers_.begin(); it != workers_.end();) {
    Worker& worker = *it->second;
    if (worker.waiting != nullptr || now < worker.last_seen + options_.worker_silence ||
        !worker.leases.empty()) {
      ++it;
      continue;
    }
    spdlog::info("worker {} has been silent for {}: forgotten", worker.name,
                 absl::FormatDuration(now - worker.last_seen));
    SetHungry(worker, false);
    ForgetTrust(worker.name);
    it = workers_.erase(it);
    WakeAll();  // an open study may have waited for its device
  }
  LookAgain(now);
  return events;
}

void Dispatcher::LookAgain(absl::Time now) {
  if (now >= looked_again_ + options_.second_look) WakeHungry();
}

void Dispatcher::WakeHungry() {
  if (!queue_.HasPending()) return;
  looked_again_ = clock_->Steady();
  for (Worker* worker : hungry_) WakeUp(*worker);
}

void Dispatcher::ForgivePause(absl::Duration pause) {
  if (pause < options_.shortest_pause) return;
  absl::MutexLock lock(&mutex_);
  for (auto& [id, lease] : leases_) {
    lease.expires += pause;
    lease.deadline += pause;
  }
  for (const auto& [name, worker] : workers_) worker->last_seen += pause;
  spdlog::warn("this server stood still for {}: leases and workers are given that time",
               absl::FormatDuration(absl::Trunc(pause, absl::Milliseconds(1))));
}

void Dispatcher::Shutdown() {
  absl::MutexLock lock(&mutex_);
  shut_down_ = true;
  WakeAll();
}

// ---- workers

Worker* Dispatcher::FindWorker(const std::string& name) {
  const auto worker = workers_.find(name);
  return worker == workers_.end() ? nullptr : worker->second.get();
}

// One worker takes one task; a reference run may be refused to one and admitted to another, so all look.
void Dispatcher::WakeWorkersFor(const TaskId& task) {
  const QueuedStudy* study = queue_.FindStudy(task.study);
  if (study == nullptr) return;
  for (Worker* worker : hungry_) {
    if (worker->woken) continue;
    const std::vector<v1::Device> devices = UsableDevices(*worker);
    const v1::Device* device = DeviceFor(*study, devices);
    if (device == nullptr || FreeSlots(*worker, KindOf(*device)) <= 0) continue;
    if (IsForAnother(*worker, *study, task)) continue;
    WakeUp(*worker);
    ++wake_ups_;
    if (task.kind != TaskKind::kReference) return;
  }
}

void Dispatcher::WakeAll() {
  for (const auto& [name, worker] : workers_) WakeUp(*worker);
}

std::vector<v1::WorkerView> Dispatcher::ListWorkers() const {
  absl::MutexLock lock(&mutex_);
  std::vector<v1::WorkerView> views;
  for (const auto& [name, worker] : workers_) {
    std::vector<std::string> running;
    for (const std::string& lease_id : worker->leases) {
      const LeaseRecord& lease = leases_.at(lease_id);
      const std::string study = StudyIdOf(lease.task.study);
      std::string text = lease.task.kind == TaskKind::kReference ? study + " reference"
                         : lease.task.kind == TaskKind::kConfirm ? study + " confirm"
                         : lease.task.kind == TaskKind::kInspect
                             ? absl::StrCat(study, " inspection ", lease.task.index)
                             : absl::StrCat(study, "/", lease.task.index);
      if (!lease.stage.empty() && lease.stage != "reference") absl::StrAppend(&text, " ", lease.stage);
      running.push_back(text);
    }
    const absl::Duration silence = clock_->Steady() - worker->last_seen;
    views.push_back(ViewOf(*worker, absl::StrJoin(running, ", "), clock_->Now() - silence));
  }
  return views;
}

int64_t Dispatcher::CountWakeUps() const {
  absl::MutexLock lock(&mutex_);
  return wake_ups_;
}

absl::Duration Dispatcher::DeviceTimeOf(const std::string& owner) const {
  absl::MutexLock lock(&mutex_);
  return usage_.Of(owner, clock_->Steady());
}

int Dispatcher::CountWorkers() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int>(workers_.size());
}

}  // namespace tune
