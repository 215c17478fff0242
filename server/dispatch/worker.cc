#include "server/dispatch/worker.h"

#include <algorithm>

#include "absl/strings/str_join.h"

namespace tune {
namespace {

// "cuda:1", "cpu".
std::string DeviceName(const v1::Device& device) {
  return device.target() == v1::CUDA ? absl::StrCat("cuda:", device.cuda().ordinal()) : "cpu";
}

}  // namespace

DeviceKind KindOf(const v1::Device& device) { return {device.target(), device.model()}; }

PaceKind PaceKindOf(const v1::Device& device) { return {KindOf(device), device.cores()}; }

const v1::Device* FindDevice(const Worker& worker, const DeviceKind& kind) {
  const v1::Device* found = nullptr;
  for (const v1::Device& device : worker.devices) {
    if (KindOf(device) != kind) continue;
    if (QuarantineOf(worker, device).empty()) return &device;
    if (found == nullptr) found = &device;
  }
  return found;
}

const KindConduct* FindConduct(const Worker& worker, const DeviceKind& kind) {
  for (const KindConduct& conduct : worker.conduct) {
    if (conduct.kind == kind) return &conduct;
  }
  return nullptr;
}

std::string QuarantineOf(const Worker& worker, const v1::Device& device) {
  if (!device.quarantine().empty()) return device.quarantine();
  const KindConduct* conduct = FindConduct(worker, KindOf(device));
  return conduct == nullptr ? "" : conduct->quarantine;
}

std::vector<v1::Device> UsableDevices(const Worker& worker) {
  std::vector<v1::Device> usable;
  std::copy_if(worker.devices.begin(), worker.devices.end(), std::back_inserter(usable),
               [&](const v1::Device& device) { return QuarantineOf(worker, device).empty(); });
  return usable;
}

int SlotsOf(const Worker& worker, const DeviceKind& kind) {
  int slots = 0;
  for (const v1::Device& device : UsableDevices(worker)) {
    if (KindOf(device) == kind) slots += std::max(1, device.slots());
  }
  return slots;
}

namespace {

// Devices by what `reason_of` says of them.
std::string TextOfDevices(const Worker& worker,
                          const std::function<std::string(const v1::Device&)>& reason_of) {
  std::vector<std::pair<std::string, std::string>> reasons;  // and the names of the devices
  for (const v1::Device& device : worker.devices) {
    const std::string why = reason_of(device);
    if (why.empty()) continue;
    const auto same =
        std::find_if(reasons.begin(), reasons.end(), [&](const auto& reason) { return reason.first == why; });
    if (same == reasons.end()) {
      reasons.emplace_back(why, DeviceName(device));
    } else {
      absl::StrAppend(&same->second, ", ", DeviceName(device));
    }
  }
  return absl::StrJoin(reasons, "; ", [](std::string* out, const auto& reason) {
    absl::StrAppend(out, reason.second, ": ", reason.first);
  });
}

}  // namespace

std::string QuarantineText(const Worker& worker) {
  return TextOfDevices(worker, [&](const v1::Device& device) { return QuarantineOf(worker, device); });
}

std::string DoubtText(const Worker& worker) {
  return TextOfDevices(worker, [&](const v1::Device& device) -> std::string {
    const KindConduct* conduct = FindConduct(worker, KindOf(device));
    return conduct == nullptr || !conduct->quarantine.empty() ? "" : conduct->doubt;
  });
}

v1::WorkerView ViewOf(const Worker& worker, const std::string& running, absl::Time last_seen) {
  v1::WorkerView view;
  view.set_name(worker.name);
  for (const v1::Device& device : worker.devices) {
    *view.add_devices() = device;
    view.mutable_devices()->rbegin()->set_quarantine(QuarantineOf(worker, device));
  }
  const bool quarantined = !worker.devices.empty() && UsableDevices(worker).empty();
  view.set_state(quarantined             ? v1::WorkerView::QUARANTINED
                 : worker.draining       ? v1::WorkerView::DRAINING
                 : worker.leases.empty() ? v1::WorkerView::IDLE
                                         : v1::WorkerView::BUSY);
  const std::string quarantine = QuarantineText(worker), doubt = DoubtText(worker);
  view.set_note(absl::StrCat(quarantine, quarantine.empty() || doubt.empty() ? "" : "; ", doubt));
  view.set_last_seen_unix_ms(absl::ToUnixMillis(last_seen));
  view.set_running(running);
  view.set_evaluations(worker.evaluations);
  view.set_failures(worker.failures);
  view.set_refused(worker.refused);
  return view;
}

}  // namespace tune
