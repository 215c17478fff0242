// The parts of Dispatcher that set workers aside.
#include <spdlog/spdlog.h>

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
  const std::optional<DeviceKind> kind = KindFor(*worker, study);
  if (!kind.has_value()) return;
  KindConduct& conduct = ConductOf(*worker, *kind);
  if (conduct.distrusted) return;
  conduct.distrusted = true;
  conduct.quarantine =
      absl::StrCat(why, "; repair this worker's host, and start tune-worker again once it was away for ",
                   absl::FormatDuration(options_.worker_silence));
  spdlog::warn("worker {}, {}: set aside: {}", worker->name, kind->model, conduct.quarantine);
  WakeAll();  // others take over
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

}  // namespace tune
