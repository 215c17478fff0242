#include "client/report/waiting_reason.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

bool HasDevice(const v1::WorkerView& worker, v1::Target target) {
  if (target == v1::TARGET_UNSPECIFIED) return !worker.devices().empty();
  return std::any_of(worker.devices().begin(), worker.devices().end(),
                     [target](const v1::Device& device) { return device.target() == target; });
}

bool TakesWork(const v1::WorkerView& worker, v1::Target target) {
  if (worker.state() == v1::WorkerView::DRAINING || worker.state() == v1::WorkerView::QUARANTINED)
    return false;
  return std::any_of(worker.devices().begin(), worker.devices().end(), [target](const v1::Device& device) {
    return device.quarantine().empty() && (target == v1::TARGET_UNSPECIFIED || device.target() == target);
  });
}

}  // namespace

bool HasDevice(const std::vector<v1::WorkerView>& workers, v1::Target target) {
  return std::any_of(workers.begin(), workers.end(),
                     [target](const v1::WorkerView& worker) { return HasDevice(worker, target); });
}

std::string WaitingReason(v1::Target target, const std::vector<v1::WorkerView>& workers,
                          const std::string& address) {
  const bool ready = std::any_of(workers.begin(), workers.end(), [target](const v1::WorkerView& worker) {
    return TakesWork(worker, target);
  });
  if (ready) return "";
  if (HasDevice(workers, target)) {
    return absl::StrCat("every worker ", target == v1::CUDA ? "with a CUDA device " : "",
                        "is draining or quarantined: `tunectl workers` tells why");
  }
  if (target == v1::CUDA && address.empty()) {
    return "the worker on this machine has found no CUDA device: `tunectl doctor` checks what it needs; "
           "--target cpu needs none";
  }
  const std::string start = absl::StrCat("start `tune-worker --server ", address, "`");
  if (target == v1::CUDA) {
    return absl::StrCat("no connected worker has a CUDA device: ", start,
                        " on a host with an NVIDIA GPU and its driver, or submit with --target cpu");
  }
  return absl::StrCat("no worker is connected: ", start);
}

}  // namespace tune
