#include "client/report/waiting_reason.h"

#include <functional>

#include "absl/strings/str_cat.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/study_result.h"

namespace tune {
namespace {

bool AnyDevice(const std::vector<v1::WorkerView>& workers,
               const std::function<bool(const v1::WorkerView&, const v1::Device&)>& suits) {
  for (const v1::WorkerView& worker : workers) {
    for (const v1::Device& device : worker.devices())
      if (suits(worker, device)) return true;
  }
  return false;
}

bool IsOf(v1::Target target, const v1::Device& device) {
  return target == v1::TARGET_UNSPECIFIED || device.target() == target;
}

bool MeasuresEnergy(const v1::SearchOptions& search) {
  return search.energy() || (!IsTimeObjective(search) && !UnitOf(search.objective()).empty());
}

bool TakesWork(const v1::WorkerView& worker, const v1::Device& device, const StudyNeeds& needs) {
  return worker.state() != v1::WorkerView::DRAINING && worker.state() != v1::WorkerView::QUARANTINED &&
         device.quarantine().empty() && IsOf(needs.target, device) && (!needs.ppcg || !device.ppcg().empty());
}

}  // namespace

bool HasDevice(const std::vector<v1::WorkerView>& workers, v1::Target target) {
  return AnyDevice(workers, [&](const auto&, const v1::Device& device) { return IsOf(target, device); });
}

bool HasPpcg(const std::vector<v1::WorkerView>& workers) {
  return AnyDevice(workers, [](const auto&, const v1::Device& device) { return !device.ppcg().empty(); });
}

StudyNeeds NeedsOf(const v1::Study& study) {
  return {study.target(), study.generator() == kPpcgGenerator,
          IsOfKernels(study) || MeasuresEnergy(study.search()), study.generator() == kSharedGenerator};
}

StudyNeeds NeedsOf(const v1::StudySpec& spec) {
  return {spec.target(), spec.generator() == kPpcgGenerator,
          spec.has_kernel() || MeasuresEnergy(spec.search()), spec.generator() == kSharedGenerator};
}

std::string WaitingReason(const StudyNeeds& needs, const std::vector<v1::WorkerView>& workers,
                          const std::string& address) {
  const v1::Target target = needs.target;
  const bool ready = AnyDevice(workers, [&](const v1::WorkerView& worker, const v1::Device& device) {
    return TakesWork(worker, device, needs);
  });
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
    return absl::StrCat(
        "the worker on this machine has found no CUDA device: `tunectl doctor` checks what it needs",
        needs.gpu_alone ? "" : "; --target cpu needs none");
  }
  const std::string start = absl::StrCat("start `tune-worker --server ", address, "`");
  if (target == v1::CUDA) {
    return absl::StrCat("no connected worker has a CUDA device: ", start, " on a host with an NVIDIA GPU",
                        needs.shared ? ", its driver and nvcc" : " and its driver",
                        needs.ppcg        ? " and PPCG 0.09"
                        : needs.gpu_alone ? ""
                                          : ", or submit with --target cpu");
  }
  return absl::StrCat("no worker is connected: ", start);
}

}  // namespace tune
