// The parts of Dispatcher that begin, hold and end one Synchronize call.
#include <spdlog/spdlog.h>

#include <algorithm>

#include "common/base/secret.h"
#include "server/dispatch/dispatcher.h"

namespace tune {

absl::StatusOr<CallEntry> Dispatcher::Enter(const v1::SynchronizeRequest& request,
                                            std::vector<TaskEvent>* events) {
  const absl::Time now = clock_->Steady();
  absl::MutexLock lock(&mutex_);
  TUNE_ASSIGN_OR_RETURN(Worker * worker, Welcome(request, now, events));
  CallEntry entry;
  entry.call = ++worker->call;
  WakeUp(*worker);  // an older call that waits gives up
  worker->woken = false;
  RenewOrReturn(*worker, request, now, &entry, events);
  return entry;
}

// The worker's record, made or brought up to date.
absl::StatusOr<Worker*> Dispatcher::Welcome(const v1::SynchronizeRequest& request, absl::Time now,
                                            std::vector<TaskEvent>* events) {
  const std::string secret = Digest(request.secret());
  if (FindWorker(request.worker()) == nullptr) {
    if (workers_.size() >= options_.most_workers) {
      return absl::ResourceExhaustedError(
          absl::StrCat("this server knows ", workers_.size(), " workers, which is as many as it takes"));
    }
    std::unique_ptr<Worker>& added = workers_[request.worker()];
    added = std::make_unique<Worker>();
    added->name = request.worker();
    added->session = request.session();
    added->secret = secret;
    spdlog::info("worker {} has come", added->name);
  }
  Worker& worker = *FindWorker(request.worker());
  const bool same_worker = SameSecret(worker.secret, secret);
  if (!same_worker || worker.ended_sessions.count(request.session()) > 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("another tune-worker uses the name '", worker.name,
                     "': end one of the two, or give them different names with --name",
                     same_worker ? ""
                                 : "; the same worker with a new --cache folder can come when the server has "
                                   "forgotten the old one"));
  }
  if (worker.session != request.session()) {
    const std::set<std::string> leases = worker.leases;
    for (const std::string& lease_id : leases) {
      const auto lease = leases_.find(lease_id);
      if (lease != leases_.end() && !lease->second.claimed) EndLease(lease_id, /*lost=*/true, events);
    }
    worker.ended_sessions.insert(worker.session);
    worker.session = request.session();
    worker.cancelled.clear();
    ForgetTrust(worker.name);
    std::erase_if(worker.conduct, [](const KindConduct& conduct) { return !conduct.distrusted; });
    spdlog::info("worker {} has restarted", worker.name);
  }
  const std::string before = QuarantineText(worker);
  worker.devices.assign(request.devices().begin(), request.devices().end());
  if (const std::string why = QuarantineText(worker); why != before && !why.empty()) {
    spdlog::warn("worker {} has devices in quarantine: {}", worker.name, why);
    WakeAll();  // an open study may have waited for one of them
  }
  worker.draining = request.draining();
  worker.last_seen = now;
  return &worker;
}

void Dispatcher::RenewOrReturn(Worker& worker, const v1::SynchronizeRequest& request, absl::Time now,
                               CallEntry* entry, std::vector<TaskEvent>* events) {
  std::set<std::string> kept;
  for (const v1::ActiveLease& active : request.active()) {
    auto lease = leases_.find(active.lease_id());
    if (lease == leases_.end() && Adopt(worker, active.lease_id(), now, events)) {
      lease = leases_.find(active.lease_id());
    }
    if (lease == leases_.end() || lease->second.worker != worker.name) {
      entry->cancelled.push_back(active.lease_id());
      continue;
    }
    lease->second.Renew(now, options_.lease);
    lease->second.stage = active.stage();
    kept.insert(active.lease_id());
  }
  for (const v1::LeaseResult& result : request.results()) kept.insert(result.lease_id());
  for (const std::string& returned : request.returned()) kept.erase(returned);
  const std::set<std::string> held = worker.leases;
  for (const std::string& lease_id : held) {
    const auto lease = leases_.find(lease_id);
    if (lease == leases_.end() || kept.count(lease_id) > 0 || lease->second.claimed) continue;
    EndLease(lease_id, /*lost=*/false, events);
  }
}

// Takes over a lease that an earlier run of the server gave out, when its task is still to be done and
// nobody else has it.
bool Dispatcher::Adopt(Worker& worker, const std::string& lease_id, absl::Time now,
                       std::vector<TaskEvent>* events) {
  const absl::StatusOr<LeaseName> name = seal_.Parse(lease_id, {worker.name, worker.session});
  if (!name.ok() || name->run >= run_) return false;
  const QueuedStudy* study = queue_.FindStudy(name->task.study);
  Task* task = queue_.Find(name->task);
  if (study == nullptr || task == nullptr || !task->lease_id.empty()) return false;
  const v1::Device* device = DeviceFor(*study, worker.devices);
  if (device == nullptr) return false;
  task->lease_id = lease_id;
  task->attempts = std::max(task->attempts, name->attempt);
  leases_[lease_id] = RecordOf(worker, KindOf(*device), name->task, now);
  worker.leases.insert(lease_id);
  events->push_back({TaskEvent::kAdopted, name->task, task->attempts, task->lost, false, worker.name});
  spdlog::info("worker {} goes on with {} of an earlier run", worker.name, lease_id);
  return true;
}

Waiting Dispatcher::Wait(const std::string& worker_name, uint64_t call, std::function<void()> wake) {
  absl::MutexLock lock(&mutex_);
  Worker* worker = FindWorker(worker_name);
  if (worker == nullptr || worker->call != call || shut_down_) return Waiting::kOver;
  if (std::exchange(worker->woken, false)) return Waiting::kChanged;
  worker->waiting = std::move(wake);
  return Waiting::kWaits;
}

void Dispatcher::Wake(const std::string& worker_name, uint64_t call) {
  absl::MutexLock lock(&mutex_);
  Worker* worker = FindWorker(worker_name);
  if (worker != nullptr && worker->call == call) WakeUp(*worker);
}

void Dispatcher::SetHungry(Worker& worker, bool hungry) {
  if (hungry) {
    hungry_.insert(&worker);
  } else {
    hungry_.erase(&worker);
  }
}

void Dispatcher::WakeUp(Worker& worker) {
  worker.woken = true;
  if (worker.waiting == nullptr) return;
  const absl::Time now = clock_->Steady();
  worker.last_seen = now;
  for (const std::string& lease_id : worker.leases) leases_.at(lease_id).Renew(now, options_.lease);
  std::exchange(worker.waiting, nullptr)();
}

bool Dispatcher::HasCancelled(const std::string& worker_name) {
  absl::MutexLock lock(&mutex_);
  const Worker* worker = FindWorker(worker_name);
  return worker != nullptr && !worker->cancelled.empty();
}

void Dispatcher::Leave(const std::string& worker_name, uint64_t call, const v1::SynchronizeRequest& request,
                       v1::SynchronizeResponse* response) {
  absl::MutexLock lock(&mutex_);
  absl::Duration next = options_.idle_interval;
  Worker* worker = FindWorker(worker_name);
  if (worker != nullptr && worker->call == call) {
    SetHungry(*worker, false);
    // It was woken for a task, it may be, and does not take it.
    if (std::exchange(worker->woken, false)) WakeHungry();
    // A lease that came to nothing before the worker heard of it need not be cancelled.
    const std::vector<std::string> cancelled = std::exchange(worker->cancelled, {});
    for (const std::string& lease_id : cancelled) {
      const auto listed = [&](const v1::ActiveLease& active) { return active.lease_id() == lease_id; };
      if (std::any_of(request.active().begin(), request.active().end(), listed)) {
        response->add_cancelled(lease_id);
      }
    }
    const bool quarantined = !worker->devices.empty() && UsableDevices(*worker).empty();
    if (quarantined) response->set_quarantine(QuarantineText(*worker));
    const bool full = response->leases_size() >= request.free_slots();
    if (quarantined) {
      next = options_.quarantined_interval;
    } else if (!full && request.wait_ms() > 0) {
      next = absl::ZeroDuration();  // wait in the server again
    } else if (!worker->leases.empty()) {
      next = options_.busy_interval;
    }
  }
  response->set_next_synchronization_ms(absl::ToInt64Milliseconds(next));
}

}  // namespace tune
