// The parts of Dispatcher that set workers aside.
#include <spdlog/spdlog.h>

#include <utility>

#include "server/dispatch/dispatcher.h"

namespace tune {

std::optional<DeviceKind> Dispatcher::KindFor(const Worker& worker, int64_t study) const {
  const auto found = queue_.studies().find(study);
  if (found == queue_.studies().end()) return std::nullopt;
  const v1::Device* device = DeviceFor(found->second, worker.devices);
  if (device == nullptr) return std::nullopt;
  return KindOf(*device);
}

void Dispatcher::SetAside(const std::string& worker_name, int64_t study, const std::string& why) {
  absl::MutexLock lock(&mutex_);
  Worker* worker = FindWorker(worker_name);
  if (worker == nullptr) return;
  if (const std::optional<DeviceKind> kind = KindFor(*worker, study)) SetAside(*worker, *kind, why);
}

void Dispatcher::SetAside(Worker& worker, const DeviceKind& kind, const std::string& why) {
  KindConduct& conduct = ConductOf(worker, kind);
  if (conduct.distrusted) return;
  conduct.distrusted = true;
  conduct.quarantine =
      absl::StrCat(why, "; repair this worker's host, and start tune-worker again once it was away for ",
                   absl::FormatDuration(options_.worker_silence));
  spdlog::warn("worker {}, {}: set aside: {}", worker.name, kind.model, conduct.quarantine);
  set_asides_.push_back({worker.name, kind});
  for (const auto& [name, other] : workers_) ConductOf(*other, kind).doubt.clear();  // it was the odd one
  WakeAll();                                                                         // others take over
}

std::vector<Dispatcher::SetAsideNote> Dispatcher::TakeSetAsides() {
  absl::MutexLock lock(&mutex_);
  return std::exchange(set_asides_, {});
}

bool Dispatcher::IsSetAside(const std::string& worker_name, int64_t study) const {
  absl::MutexLock lock(&mutex_);
  const auto worker = workers_.find(worker_name);
  if (worker == workers_.end()) return false;
  const std::optional<DeviceKind> kind = KindFor(*worker->second, study);
  if (!kind.has_value()) return false;
  const KindConduct* conduct = FindConduct(*worker->second, *kind);
  return conduct != nullptr && conduct->distrusted;
}

void Dispatcher::CompareWorkers(const Worker& worker, const LeaseRecord& lease, const RunResult& result) {
  if (result.outcome == v1::OUTCOME_UNSPECIFIED) return;
  const QueuedStudy* const study = queue_.FindStudy(lease.task.study);
  if (study != nullptr && study->times_of_host) return;
  const KindConduct* conduct = FindConduct(worker, lease.device);
  const v1::Device* device = FindDevice(worker, lease.device);
  if (device == nullptr || (conduct != nullptr && conduct->distrusted)) return;
  WorkerTrust& trust = trust_.try_emplace(PaceKindOf(*device), options_.trust).first->second;
  const TaskId candidate{lease.task.study, TaskKind::kEvaluate, lease.task.index};
  const bool correct = result.outcome == v1::CORRECT;
  const bool counts = correct || result.outcome == v1::CORRECTNESS;
  for (const Distrust& distrust : trust.Add(candidate, {worker.name, correct, result.seconds}, counts)) {
    Worker* const found = FindWorker(distrust.worker);
    if (found == nullptr) continue;
    if (distrust.set_aside) {
      SetAside(*found, lease.device, distrust.why);
      continue;
    }
    ConductOf(*found, lease.device).doubt = absl::StrCat(
        distrust.why, ": a third worker with such a device, or a look at both hosts, tells who is right");
    spdlog::warn("worker {}, {}: {}", found->name, lease.device.model, distrust.why);
  }
}

std::optional<Grant> Dispatcher::GrantCheck(Worker& worker, const PaceKind& kind, absl::Time now) {
  const auto trust = trust_.find(kind);
  if (trust == trust_.end() || FreeSlots(worker, kind.kind) <= 0) return std::nullopt;
  std::optional<TaskId> check = trust->second.NextCheck(worker.name);
  if (!check.has_value() || queue_.FindStudy(check->study) == nullptr) return std::nullopt;
  check->kind = TaskKind::kProbe;
  return MakeLease(worker, kind.kind, *check, ++probes_, now);
}

void Dispatcher::ForgetTrust(const std::string& worker) {
  for (auto& [kind, trust] : trust_) trust.ForgetWorker(worker);
}

}  // namespace tune
