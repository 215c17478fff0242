// The parts of Dispatcher that give out leases and end them.
#include <algorithm>

#include "server/dispatch/dispatcher.h"

namespace tune {

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
  const auto admit = [&](int64_t, const QueuedStudy& study, const v1::Device& device, const TaskId& task)
                         ABSL_NO_THREAD_SAFETY_ANALYSIS {
                           return FreeSlots(*worker, KindOf(device)) > 0 && AdmitTask(study, device, task);
                         };
  while (static_cast<int>(grants.size()) < free_slots) {
    const std::optional<TaskId> next = queue_.Next(worker->devices, admit);
    if (!next.has_value()) break;
    Task* task = queue_.Find(*next);
    const v1::Device* device = DeviceFor(*queue_.FindStudy(next->study), worker->devices);
    grants.push_back(MakeLease(*worker, KindOf(*device), *next, ++task->attempts, now));
    task->lease_id = grants.back().lease_id;
  }
  return grants;
}

// How many more leases on devices of this kind the worker may have.
int Dispatcher::FreeSlots(const Worker& worker, const DeviceKind& kind) {
  int slots = 0;
  for (const v1::Device& device : worker.devices) {
    if (KindOf(device) == kind) slots += std::max(1, device.slots());
  }
  for (const std::string& lease_id : worker.leases) {
    const auto lease = leases_.find(lease_id);
    if (lease != leases_.end() && lease->second.device == kind) --slots;
  }
  return slots;
}

Grant Dispatcher::MakeLease(Worker& worker, const DeviceKind& device, const TaskId& task, int64_t attempt,
                            absl::Time now) {
  Grant grant{task, LeaseIdOf({task, attempt, run_}), attempt};
  leases_[grant.lease_id] = LeaseRecord{task, worker.name, device, now + options_.lease, "", false};
  worker.leases.insert(grant.lease_id);
  return grant;
}

// A candidate known to be good, of any study that this worker could serve.
std::optional<Grant> Dispatcher::GrantProbe(Worker& worker, absl::Time now) {
  for (const auto& [number, study] : queue_.studies()) {
    const v1::Device* device = DeviceFor(study, worker.devices);
    if (study.known_good < 0 || device == nullptr || FreeSlots(worker, KindOf(*device)) <= 0) continue;
    const TaskId probe{number, TaskKind::kProbe, study.known_good};
    const Grant grant = MakeLease(worker, KindOf(*device), probe, ++probes_, now);
    worker.probe_lease = grant.lease_id;
    return grant;
  }
  return std::nullopt;
}

// A study starts on a kind of device, with its reference run, when few enough are under way there. One that
// leaves its target open does not start on a cpu while a worker could take it to a GPU.
bool Dispatcher::AdmitTask(const QueuedStudy& study, const v1::Device& device, const TaskId& task) {
  if (task.kind != TaskKind::kReference) return true;
  if (study.target == v1::TARGET_UNSPECIFIED && device.target() != v1::CUDA && HasWorkerWith(v1::CUDA)) {
    return false;
  }
  const DeviceKind kind = KindOf(device);
  int active = 0;
  for (const auto& [number, other] : queue_.studies()) {
    if (other.target == kind.target && other.model == kind.model) ++active;
  }
  for (const auto& [id, lease] : leases_) {
    if (lease.task.kind == TaskKind::kReference && lease.device == kind) ++active;
  }
  return active < options_.active_studies;
}

// Whether a worker that takes leases has a device of the target.
bool Dispatcher::HasWorkerWith(v1::Target target) {
  return std::any_of(workers_.begin(), workers_.end(), [target](const auto& entry) {
    const Worker& worker = *entry.second;
    return !worker.draining && worker.quarantine.empty() &&
           std::any_of(worker.devices.begin(), worker.devices.end(),
                       [target](const v1::Device& device) { return device.target() == target; });
  });
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

}  // namespace tune
