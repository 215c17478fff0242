#include "server/dispatch/dispatcher.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/evaluation/outcome.h"
#include "server/store/store.h"

namespace tune {

Dispatcher::Dispatcher(const DispatchOptions& options, const Clock* clock, int64_t run)
    : options_(options), clock_(clock), run_(run) {}

// ---- studies and tasks

void Dispatcher::AddStudy(int64_t study, v1::Target target, const std::string& model) {
  absl::MutexLock lock(&mutex_);
  queue_.AddStudy(study, target, model);
}

void Dispatcher::BindStudy(int64_t study, const std::string& model) {
  absl::MutexLock lock(&mutex_);
  if (QueuedStudy* found = queue_.FindStudy(study); found != nullptr) found->model = model;
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
  WakeAll();  // a place among the active studies may be free
}

void Dispatcher::SetKnownGood(int64_t study, int64_t candidate_index) {
  absl::MutexLock lock(&mutex_);
  if (QueuedStudy* found = queue_.FindStudy(study); found != nullptr) found->known_good = candidate_index;
}

void Dispatcher::AddTask(const TaskId& task, int64_t attempts, int lost) {
  absl::MutexLock lock(&mutex_);
  queue_.Add(task, attempts, lost);
  WakeWorkersFor(task.study);
}

// ---- results

Claim Dispatcher::ClaimResult(const std::string& worker_name, const v1::LeaseResult& result,
                              std::vector<TaskEvent>* events) {
  const absl::Time now = clock_->Now();
  absl::MutexLock lock(&mutex_);
  Claim claim;
  const absl::StatusOr<LeaseName> name = ParseLeaseId(result.lease_id());
  if (!name.ok()) return claim;
  claim.task = name->task;
  Worker* worker = FindWorker(worker_name);
  if (worker == nullptr) return claim;
  auto lease = leases_.find(result.lease_id());
  if (lease == leases_.end() && Adopt(*worker, result.lease_id(), now, events)) {
    lease = leases_.find(result.lease_id());
  }
  if (lease == leases_.end() || lease->second.worker != worker_name || lease->second.claimed) return claim;
  const QueuedStudy* study = queue_.FindStudy(claim.task.study);
  const v1::Device* device = study == nullptr ? nullptr : DeviceFor(*study, worker->devices);
  if (device == nullptr) return claim;
  lease->second.claimed = true;
  claim.current = true;
  claim.device = *device;
  return claim;
}

void Dispatcher::Complete(const std::string& worker_name, const std::string& lease_id, v1::Outcome outcome,
                          const std::string& message) {
  absl::MutexLock lock(&mutex_);
  if (Worker* worker = FindWorker(worker_name); worker != nullptr) {
    JudgeWorker(*worker, lease_id, outcome, message);
  }
  const auto lease = leases_.find(lease_id);
  if (lease == leases_.end()) return;
  const TaskId task = lease->second.task;
  EraseLease(lease_id);
  if (task.kind != TaskKind::kProbe) queue_.Remove(task);
}

void Dispatcher::Unclaim(const std::string& lease_id) {
  absl::MutexLock lock(&mutex_);
  if (const auto lease = leases_.find(lease_id); lease != leases_.end()) lease->second.claimed = false;
}

// Counts failures in a row; a probe decides. Only failures that may be the worker's fault count.
void Dispatcher::JudgeWorker(Worker& worker, const std::string& lease_id, v1::Outcome outcome,
                             const std::string& message) {
  if (outcome == v1::OUTCOME_UNSPECIFIED) {
    if (worker.probe_lease == lease_id) worker.probe_lease.clear();
    return;
  }
  const bool probe = worker.probe_lease == lease_id;
  if (probe) {
    worker.probe_lease.clear();
    worker.failures_in_row = 0;
    if (outcome == v1::CORRECT) {
      worker.failures_allowed *= 2;
      return;
    }
    const absl::StatusOr<LeaseName> name = ParseLeaseId(lease_id);
    worker.quarantine = absl::StrCat("candidate ", name.ok() ? name->task.index : -1, " of study ",
                                     name.ok() ? StudyIdOf(name->task.study) : "",
                                     ", which is known to be good, failed here (", OutcomeName(outcome),
                                     message.empty() ? "" : ": ", message,
                                     "); repair this worker's host and restart tune-worker");
    spdlog::warn("worker {} is quarantined: {}", worker.name, worker.quarantine);
    return;
  }
  ++worker.evaluations;
  if (outcome == v1::CORRECT) {
    worker.failures_in_row = 0;
    worker.failures_allowed = options_.suspicious_failures;
    return;
  }
  ++worker.failures;
  const bool suspicious =
      outcome == v1::COMPILE || outcome == v1::RUNTIME || outcome == v1::OOM || outcome == v1::CORRECTNESS;
  if (suspicious) ++worker.failures_in_row;
}

// ---- leases

std::vector<Grant> Dispatcher::GrantLeases(const std::string& worker_name, uint64_t call, int free_slots) {
  const absl::Time now = clock_->Now();
  absl::MutexLock lock(&mutex_);
  std::vector<Grant> grants;
  Worker* worker = FindWorker(worker_name);
  if (worker == nullptr || worker->call != call || worker->draining || shut_down_) return grants;
  if (!worker->quarantine.empty() || !worker->probe_lease.empty()) return grants;
  free_slots = std::min(free_slots, options_.leases_per_call);
  if (free_slots > 0 && worker->failures_in_row >= worker->failures_allowed) {
    if (const std::optional<Grant> probe = GrantProbe(*worker, now); probe.has_value()) return {*probe};
  }
  const auto admit = [this](int64_t, const QueuedStudy& study, const v1::Device& device, const TaskId& task)
                         ABSL_NO_THREAD_SAFETY_ANALYSIS { return AdmitTask(study, device, task); };
  while (static_cast<int>(grants.size()) < free_slots) {
    const std::optional<TaskId> next = queue_.Next(worker->devices, admit);
    if (!next.has_value()) break;
    Task* task = queue_.Find(*next);
    grants.push_back(MakeLease(*worker, *next, ++task->attempts, now));
    task->lease_id = grants.back().lease_id;
  }
  return grants;
}

Grant Dispatcher::MakeLease(Worker& worker, const TaskId& task, int64_t attempt, absl::Time now) {
  Grant grant{task, LeaseIdOf({task, attempt, run_}), attempt};
  leases_[grant.lease_id] = LeaseRecord{task, worker.name, now + options_.lease, "", false};
  worker.leases.insert(grant.lease_id);
  return grant;
}

// A candidate known to be good, of any study that this worker could serve.
std::optional<Grant> Dispatcher::GrantProbe(Worker& worker, absl::Time now) {
  for (const auto& [number, study] : queue_.studies()) {
    if (study.known_good < 0 || DeviceFor(study, worker.devices) == nullptr) continue;
    const Grant grant = MakeLease(worker, {number, TaskKind::kProbe, study.known_good}, ++probes_, now);
    worker.probe_lease = grant.lease_id;
    return grant;
  }
  return std::nullopt;
}

// A study starts on a device model, with its reference run, when few enough are under way there.
bool Dispatcher::AdmitTask(const QueuedStudy& study, const v1::Device& device, const TaskId& task) {
  if (task.kind != TaskKind::kReference) return true;
  int active = 0;
  for (const auto& [number, other] : queue_.studies()) {
    if (other.model == device.model()) ++active;
  }
  for (const auto& [id, lease] : leases_) {
    if (lease.task.kind != TaskKind::kReference) continue;
    const Worker* worker = FindWorker(lease.worker);
    if (worker != nullptr && DeviceFor(study, worker->devices) != nullptr) ++active;
  }
  return active < options_.active_studies;
}

void Dispatcher::Withdraw(const std::string& lease_id) {
  absl::MutexLock lock(&mutex_);
  std::vector<TaskEvent> ignored;
  EndLease(lease_id, /*lost=*/false, &ignored);
}

void Dispatcher::EndLease(const std::string& lease_id, bool lost, std::vector<TaskEvent>* events) {
  const auto lease = leases_.find(lease_id);
  if (lease == leases_.end()) return;
  const TaskId id = lease->second.task;
  const std::string worker = lease->second.worker;
  if (Worker* found = FindWorker(worker); found != nullptr) {
    found->leases.erase(lease_id);
    if (found->probe_lease == lease_id) found->probe_lease.clear();
  }
  leases_.erase(lease);
  Task* task = queue_.Find(id);
  if (task == nullptr || task->lease_id != lease_id) return;
  task->lease_id.clear();
  TaskEvent event{TaskEvent::kReturned, id, task->attempts, task->lost, false, worker};
  if (lost) {
    event.kind = TaskEvent::kLost;
    event.lost = ++task->lost;
    task->lost_workers.insert(worker);
    event.poisoned = static_cast<int>(task->lost_workers.size()) >= options_.poison_workers;
    if (event.poisoned || task->lost >= options_.attempts) event.kind = TaskEvent::kAbandoned;
  }
  if (event.kind == TaskEvent::kAbandoned) {
    queue_.Remove(id);
  } else {
    WakeWorkersFor(id.study);
  }
  events->push_back(event);
}

// Without any trace in the queue: completed or cancelled.
void Dispatcher::EraseLease(const std::string& lease_id) {
  const auto lease = leases_.find(lease_id);
  if (lease == leases_.end()) return;
  if (Worker* worker = FindWorker(lease->second.worker); worker != nullptr) {
    worker->leases.erase(lease_id);
    if (worker->probe_lease == lease_id) worker->probe_lease.clear();
    if (!lease->second.claimed) {
      worker->cancelled.push_back(lease_id);
      worker->Wake();
    }
  }
  leases_.erase(lease);
}

// ---- time

std::vector<TaskEvent> Dispatcher::Expire() {
  const absl::Time now = clock_->Now();
  absl::MutexLock lock(&mutex_);
  std::vector<TaskEvent> events;
  ExpireLocked(now, &events);
  return events;
}

void Dispatcher::ExpireLocked(absl::Time now, std::vector<TaskEvent>* events) {
  std::vector<std::string> expired;
  for (const auto& [id, lease] : leases_) {
    const Worker* worker = FindWorker(lease.worker);
    const bool parked = worker != nullptr && worker->parked > 0;
    if (now >= lease.expires && !lease.claimed && !parked) expired.push_back(id);
  }
  for (const std::string& id : expired) EndLease(id, /*lost=*/true, events);
  for (auto it = workers_.begin(); it != workers_.end();) {
    Worker& worker = *it->second;
    if (worker.parked > 0 || now < worker.last_seen + options_.worker_silence || !worker.leases.empty()) {
      ++it;
      continue;
    }
    spdlog::info("worker {} has been silent for {}: forgotten", worker.name,
                 absl::FormatDuration(now - worker.last_seen));
    it = workers_.erase(it);
  }
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

void Dispatcher::WakeWorkersFor(int64_t study) {
  const QueuedStudy* found = queue_.FindStudy(study);
  if (found == nullptr) return;
  for (const auto& [name, worker] : workers_) {
    if (DeviceFor(*found, worker->devices) != nullptr) worker->Wake();
  }
}

void Dispatcher::WakeAll() {
  for (const auto& [name, worker] : workers_) worker->Wake();
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
                                                                 : absl::StrCat(study, "/", lease.task.index);
      if (!lease.stage.empty() && lease.stage != "reference") absl::StrAppend(&text, " ", lease.stage);
      running.push_back(text);
    }
    views.push_back(ViewOf(*worker, absl::StrJoin(running, ", ")));
  }
  return views;
}

int Dispatcher::CountWorkers() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int>(workers_.size());
}

}  // namespace tune
