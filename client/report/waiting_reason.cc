#include "client/report/waiting_reason.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/evaluation/generator.h"

namespace tune {
namespace {

bool HasDevice(const v1::WorkerView& worker, v1::Target target) {
  if (target == v1::TARGET_UNSPECIFIED) return !worker.devices().empty();
  return std::any_of(worker.devices().begin(), worker.devices().end(),
                     [target](const v1::Device& device) { return device.target() == target; });
}

bool TakesWork(const v1::WorkerView& worker, const StudyNeeds& needs) {
  if (worker.state() == v1::WorkerView::DRAINING || worker.state() == v1::WorkerView::QUARANTINED)
    return false;
  return std::any_of(worker.devices().begin(), worker.devices().end(), [&](const v1::Device& device) {
    return device.quarantine().empty() &&
           (needs.target == v1::TARGET_UNSPECIFIED || device.target() == needs.target) &&
           (!needs.ppcg || !device.ppcg().empty());
  });
}

}  // namespace

bool HasDevice(const std::vector<v1::WorkerView>& workers, v1::Target target) {
  return std::any_of(workers.begin(), workers.end(),
                     [target](const v1::WorkerView& worker) { return HasDevice(worker, target); });
}

bool HasPpcg(const std::vector<v1::WorkerView>& workers) {
  return std::any_of(workers.begin(), workers.end(), [](const v1::WorkerView& worker) {
    return std::any_of(worker.devices().begin(), worker.devices().end(),
                       [](const v1::Device& device) { return !device.ppcg().empty(); });
  });
}

StudyNeeds NeedsOf(const v1::Study& study) { return {study.target(), study.generator() == kPpcgGenerator}; }

StudyNeeds NeedsOf(const v1::StudySpec& spec) { return {spec.target(), spec.generator() == kPpcgGenerator}; }

std::string WaitingReason(const StudyNeeds& needs, const std::vector<v1::WorkerView>& workers,
                          const std::string& address) {
  const v1::Target target = needs.target;
  const bool ready = std::any_of(workers.begin(), workers.end(),
                                 [&](const v1::WorkerView& worker) { return TakesWork(worker, needs); });
  if (ready) return "";
  if (HasDevice(workers, target) && needs.ppcg && !HasPpcg(workers)) {
    return absl::StrCat(
        "no ", address.empty() ? "" : "connected ",
        "worker has ppcg: install PPCG 0.09 (git://repo.or.cz/ppcg.git) on ",
        address.empty() ? "this machine" : "a worker's host",
        ", so that it is in PATH or given by `tune-worker --ppcg PROGRAM` (or TUNE_PPCG), and "
        "start the worker again; or use --generator builtin");
  }
  if (HasDevice(workers, target)) {
    return absl::StrCat("every worker ",
                        needs.ppcg           ? "with ppcg "
                        : target == v1::CUDA ? "with a CUDA device "
                                             : "",
                        "is draining or quarantined: `tunectl workers` tells why");
  }
  if (target == v1::CUDA && address.empty()) {
    return "the worker on this machine has found no CUDA device: `tunectl doctor` checks what it needs; "
           "--target cpu needs none";
  }
  const std::string start = absl::StrCat("start `tune-worker --server ", address, "`");
  if (target == v1::CUDA) {
    return absl::StrCat("no connected worker has a CUDA device: ", start,
                        " on a host with an NVIDIA GPU and its driver",
                        needs.ppcg ? " and PPCG 0.09" : ", or submit with --target cpu");
  }
  return absl::StrCat("no worker is connected: ", start);
}

}  // namespace tune
