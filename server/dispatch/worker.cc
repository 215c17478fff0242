#include "server/dispatch/worker.h"

namespace tune {

DeviceKind KindOf(const v1::Device& device) { return {device.target(), device.model()}; }

const v1::Device* FindDevice(const Worker& worker, const DeviceKind& kind) {
  for (const v1::Device& device : worker.devices) {
    if (KindOf(device) == kind) return &device;
  }
  return nullptr;
}

v1::WorkerView ViewOf(const Worker& worker, const std::string& running) {
  v1::WorkerView view;
  view.set_name(worker.name);
  for (const v1::Device& device : worker.devices) *view.add_devices() = device;
  view.set_state(!worker.quarantine.empty() ? v1::WorkerView::QUARANTINED
                 : worker.draining          ? v1::WorkerView::DRAINING
                 : worker.leases.empty()    ? v1::WorkerView::IDLE
                                            : v1::WorkerView::BUSY);
  view.set_note(worker.quarantine);
  view.set_last_seen_unix_ms(absl::ToUnixMillis(worker.last_seen));
  view.set_running(running);
  view.set_evaluations(worker.evaluations);
  view.set_failures(worker.failures);
  return view;
}

}  // namespace tune
