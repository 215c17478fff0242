// What the dispatcher knows of one worker.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "tune/v1/state_service.pb.h"
#include "tune/v1/worker_service.pb.h"

namespace tune {

// What studies are bound to: devices of one kind stand in for each other.
struct DeviceKind {
  v1::Target target = v1::TARGET_UNSPECIFIED;
  std::string model;
  auto operator<=>(const DeviceKind&) const = default;
};

DeviceKind KindOf(const v1::Device& device);

// Devices that take the same time for the same code: of one kind, with as many cores for the worker.
struct PaceKind {
  DeviceKind kind;
  int cores = 0;
  auto operator<=>(const PaceKind&) const = default;
};

PaceKind PaceKindOf(const v1::Device& device);

// What is known of a worker's devices of one kind, see DispatchOptions::suspicious_failures.
struct KindConduct {
  DeviceKind kind;
  std::string quarantine;   // why they get no leases; empty: they get some
  std::string doubt;        // what is said against them, by one other worker; they go on
  bool distrusted = false;  // what the worker sent before its quarantine is not believed either
  int failures_in_row = 0;
  int failures_allowed = 0;
  int failed_probes = 0;    // in a row
  std::string probe_lease;  // of the probe that runs
};

struct Worker {
  std::string name;
  std::string session;
  std::string secret;                    // digest of what the worker keeps over its restarts
  std::set<std::string> ended_sessions;  // earlier ones: their processes are refused
  std::vector<v1::Device> devices;
  bool draining = false;
  absl::Time last_seen;  // Clock::Steady
  uint64_t call = 0;     // number of the newest call; an older one gives up
  // Lets the call that waits in the server go on; null: none waits. Contact is not lost meanwhile.
  std::function<void()> waiting;
  bool woken = false;  // something has changed for the worker, and its call has not looked since
  std::set<std::string> leases;
  std::vector<std::string> cancelled;  // leases that ended by a cancellation, to be told

  std::vector<KindConduct> conduct;  // of kinds with results

  int64_t evaluations = 0;
  int64_t failures = 0;
  int64_t refused = 0;  // results for leases that its session was not given

  void RemoveLease(const std::string& lease_id) {
    leases.erase(lease_id);
    for (KindConduct& known : conduct) {
      if (known.probe_lease == lease_id) known.probe_lease.clear();
    }
  }
};

// The first device of that kind, if there is one before those in quarantine, or null.
const v1::Device* FindDevice(const Worker& worker, const DeviceKind& kind);

// Of that kind; null when nothing is known of it.
const KindConduct* FindConduct(const Worker& worker, const DeviceKind& kind);

// Why the device, one of the worker's, gets no leases: the worker's own reason, or the server's about its
// kind. Empty when it gets some.
std::string QuarantineOf(const Worker& worker, const v1::Device& device);

// Those that get leases.
std::vector<v1::Device> UsableDevices(const Worker& worker);

// Leases that devices of that kind can have at once, those in quarantine left out.
int SlotsOf(const Worker& worker, const DeviceKind& kind);

// "cuda:1: WHY" for each device in quarantine; several with one reason share it: "cuda:0, cuda:1: WHY".
std::string QuarantineText(const Worker& worker);

// The same of what is said against those that get leases.
std::string DoubtText(const Worker& worker);

// As shown to people, QUARANTINED when every device is; `running` names the leases with their stages,
// `last_seen` is by the calendar.
v1::WorkerView ViewOf(const Worker& worker, const std::string& running, absl::Time last_seen);

}  // namespace tune
