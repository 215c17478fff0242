// The parts of Dispatcher that give out leases and end them.
#include <algorithm>

#include "server/dispatch/dispatcher.h"

namespace tune {

std::vector<Grant> Dispatcher::GrantLeases(const std::string& worker_name, uint64_t call, int free_slots) {
  const absl::Time now = clock_->Steady();
  absl::MutexLock lock(&mutex_);
  std::vector<Grant> grants;
  Worker* worker = FindWorker(worker_name);
  if (worker == nullptr || worker->call != call || worker->draining || shut_down_) return grants;
  worker->woken = false;
  free_slots = std::min(free_slots, options_.leases_per_call);
  for (KindConduct& conduct : worker->conduct) {
    if (static_cast<int>(grants.size()) >= free_slots) break;
    if (const std::optional<Grant> probe = GrantProbe(*worker, conduct, now)) grants.push_back(*probe);
  }
  std::set<PaceKind> kinds;
  for (const v1::Device& device : UsableDevices(*worker)) kinds.insert(PaceKindOf(device));
  for (const PaceKind& kind : kinds) {
    if (static_cast<int>(grants.size()) >= free_slots) break;
    if (const std::optional<Grant> check = GrantCheck(*worker, kind, now)) grants.push_back(*check);
  }
  // Nothing else for devices that are being probed.
  std::vector<v1::Device> devices;
  for (const v1::Device& device : UsableDevices(*worker)) {
    const KindConduct* conduct = FindConduct(*worker, KindOf(device));
    if (conduct == nullptr || conduct->probe_lease.empty()) devices.push_back(device);
  }
  const auto admit = [&](int64_t, const QueuedStudy& study, const v1::Device& device, const TaskId& task)
                         ABSL_NO_THREAD_SAFETY_ANALYSIS {
                           return FreeSlots(*worker, KindOf(device)) > 0 && AdmitTask(study, device, task) &&
                                  !IsForAnother(*worker, study, task);
                         };
  while (static_cast<int>(grants.size()) < free_slots) {
    const std::optional<TaskId> next = queue_.Next(devices, admit);
    if (!next.has_value()) break;
    Task* task = queue_.Find(*next);
    const v1::Device* device = DeviceFor(*queue_.FindStudy(next->study), devices);
    grants.push_back(MakeLease(*worker, KindOf(*device), *next, ++task->attempts, now));
    task->lease_id = grants.back().lease_id;
  }
  SetHungry(*worker, grants.empty() && free_slots > 0);
  return grants;
}

// How many more leases on devices of this kind the worker may have.
int Dispatcher::FreeSlots(const Worker& worker, const DeviceKind& kind) {
  int slots = SlotsOf(worker, kind);
  for (const std::string& lease_id : worker.leases) {
    const auto lease = leases_.find(lease_id);
    if (lease != leases_.end() && lease->second.device == kind) --slots;
  }
  return slots;
}

Grant Dispatcher::MakeLease(Worker& worker, const DeviceKind& device, const TaskId& task, int64_t attempt,
                            absl::Time now) {
  Grant grant{task, seal_.IdOf({task, attempt, run_}, {worker.name, worker.session}), attempt};
  leases_[grant.lease_id] = RecordOf(worker, device, task, now);
  worker.leases.insert(grant.lease_id);
  return grant;
}

// Of a lease that begins now. Those of one device wait for each other, so each may take as long as all of
// them.
Dispatcher::LeaseRecord Dispatcher::RecordOf(const Worker& worker, const DeviceKind& device,
                                             const TaskId& task, absl::Time now) {
  LeaseRecord lease;
  lease.task = task;
  lease.worker = worker.name;
  lease.device = device;
  lease.granted = now;
  lease.deadline = now + options_.lease_slack;
  if (const QueuedStudy* study = queue_.FindStudy(task.study); study != nullptr) {
    lease.owner = study->owner;
    const absl::Duration limit = task.kind == TaskKind::kReference ? study->reference_limit
                                 : task.kind == TaskKind::kConfirm ? study->confirmation_limit
                                                                   : study->evaluation_limit;
    lease.deadline += limit * SlotsOf(worker, device);
  }
  lease.Renew(now, options_.lease);
  return lease;
}

KindConduct& Dispatcher::ConductOf(Worker& worker, const DeviceKind& kind) {
  for (KindConduct& conduct : worker.conduct) {
    if (conduct.kind == kind) return conduct;
  }
  KindConduct& conduct = worker.conduct.emplace_back();
  conduct.kind = kind;
  conduct.failures_allowed = options_.suspicious_failures;
  return conduct;
}

// For devices with too many failures, a candidate known to be good, of any study that they could serve.
std::optional<Grant> Dispatcher::GrantProbe(Worker& worker, KindConduct& conduct, absl::Time now) {
  if (conduct.failures_in_row < conduct.failures_allowed) return std::nullopt;
  if (!conduct.quarantine.empty() || !conduct.probe_lease.empty()) return std::nullopt;
  if (FreeSlots(worker, conduct.kind) <= 0) return std::nullopt;
  const std::vector<v1::Device> devices = {*FindDevice(worker, conduct.kind)};
  for (const auto& [number, study] : queue_.studies()) {
    if (study.known_good < 0 || DeviceFor(study, devices) == nullptr) continue;
    const TaskId probe{number, TaskKind::kProbe, study.known_good};
    const Grant grant = MakeLease(worker, conduct.kind, probe, ++probes_, now);
    conduct.probe_lease = grant.lease_id;
    return grant;
  }
  return std::nullopt;
}

// A study starts on a kind of device, with its reference run, when few enough of its owner are under way
// there. One that leaves its target open does not start on a cpu while a worker could take it to a GPU.
bool Dispatcher::AdmitTask(const QueuedStudy& study, const v1::Device& device, const TaskId& task) {
  if (task.kind != TaskKind::kReference) return true;
  if (study.target == v1::TARGET_UNSPECIFIED && device.target() != v1::CUDA && HasWorkerWith(v1::CUDA)) {
    return false;
  }
  const DeviceKind kind = KindOf(device);
  int active = 0;
  for (const auto& [number, other] : queue_.studies()) {
    if (other.owner == study.owner && other.target == kind.target && other.model == kind.model) ++active;
  }
  for (const auto& [id, lease] : leases_) {
    if (lease.task.kind != TaskKind::kReference || !(lease.device == kind)) continue;
    const QueuedStudy* other = queue_.FindStudy(lease.task.study);
    if (other != nullptr && other->owner == study.owner) ++active;
  }
  return active < options_.active_studies;
}

// A task that the worker has lost goes to one that has not, where there is one.
bool Dispatcher::IsForAnother(const Worker& worker, const QueuedStudy& study, const TaskId& task) {
  const std::set<std::string>& lost = study.tasks.at(task).lost_workers;
  if (lost.count(worker.name) == 0) return false;
  return std::any_of(workers_.begin(), workers_.end(), [&](const auto& entry) {
    const Worker& other = *entry.second;
    return lost.count(other.name) == 0 && !other.draining &&
           DeviceFor(study, UsableDevices(other)) != nullptr;
  });
}

// Whether a worker that takes leases has a device of the target.
bool Dispatcher::HasWorkerWith(v1::Target target) {
  return std::any_of(workers_.begin(), workers_.end(), [target](const auto& entry) {
    const Worker& worker = *entry.second;
    const std::vector<v1::Device> usable = UsableDevices(worker);
    return !worker.draining && std::any_of(usable.begin(), usable.end(), [target](const v1::Device& device) {
      return device.target() == target;
    });
  });
}

void Dispatcher::Withdraw(const std::string& lease_id) {
  absl::MutexLock lock(&mutex_);
  std::vector<TaskEvent> ignored;
  EndLease(lease_id, /*lost=*/false, &ignored);
}

void Dispatcher::Lose(const std::string& lease_id, std::vector<TaskEvent>* events) {
  absl::MutexLock lock(&mutex_);
  EndLease(lease_id, /*lost=*/true, events);
}

void Dispatcher::EndLease(const std::string& lease_id, bool lost, std::vector<TaskEvent>* events) {
  const absl::Time now = clock_->Steady();
  const auto lease = leases_.find(lease_id);
  if (lease == leases_.end()) return;
  const TaskId id = lease->second.task;
  const std::string worker = lease->second.worker;
  if (Worker* found = FindWorker(worker); found != nullptr) {
    found->RemoveLease(lease_id);
  }
  usage_.Add(lease->second.owner, now, now - lease->second.granted);
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
    WakeWorkersFor(id);
  }
  events->push_back(event);
}

// Without any trace in the queue: completed or cancelled.
void Dispatcher::EraseLease(const std::string& lease_id) {
  const absl::Time now = clock_->Steady();
  const auto lease = leases_.find(lease_id);
  if (lease == leases_.end()) return;
  if (Worker* worker = FindWorker(lease->second.worker); worker != nullptr) {
    worker->RemoveLease(lease_id);
    if (!lease->second.claimed) {
      worker->cancelled.push_back(lease_id);
      WakeUp(*worker);
    }
  }
  usage_.Add(lease->second.owner, now, now - lease->second.granted);
  leases_.erase(lease);
}

}  // namespace tune
