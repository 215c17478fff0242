// Tasks of all studies, and which one is next.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "server/dispatch/task.h"
#include "tune/v1/device.pb.h"

namespace tune {

struct Task {
  int64_t attempts = 0;  // leases given out
  int lost = 0;          // of these, lost with their worker
  std::set<std::string> lost_workers;
  std::string lease_id;  // empty: pending
};

// What a study asks for.
struct StudyTraits {
  v1::Target target = v1::TARGET_UNSPECIFIED;  // UNSPECIFIED: any
  std::string model = {};                      // device model that it is bound to; empty: not bound yet
  bool needs_ppcg = false;                     // its devices must have PPCG
  std::string owner = {};                      // owners take turns
  // How long a worker may take for a task of each kind, however often it says that it is at it.
  absl::Duration reference_limit = absl::InfiniteDuration();
  absl::Duration evaluation_limit = absl::InfiniteDuration();
  absl::Duration confirmation_limit = absl::InfiniteDuration();
  // Its times depend on the host beside the device: workers with devices of one kind need not find the same.
  bool times_of_host = false;
  int compute_capability = 0;  // its GPUs must have this one, the number before the point, or a later one
};

// What the queue knows of a study.
struct QueuedStudy : StudyTraits {
  int64_t known_good = -1;  // a CORRECT candidate, for probes
  std::map<TaskId, Task> tasks;
};

// The device of `devices` on which the study can run, or null; of several the first, and for a study that
// leaves its target open the first on cuda.
const v1::Device* DeviceFor(const QueuedStudy& study, const std::vector<v1::Device>& devices);

// Not thread safe.
class TaskQueue {
 public:
  // An older study has a smaller number. Known numbers keep their tasks.
  void AddStudy(int64_t number, const StudyTraits& traits);
  // Returns the ids of its leases, which exist no more.
  std::vector<std::string> RemoveStudy(int64_t number);
  QueuedStudy* FindStudy(int64_t number);

  // Does nothing when the task exists or its study does not.
  void Add(const TaskId& id, int64_t attempts, int lost);
  void Remove(const TaskId& id);
  Task* Find(const TaskId& id);
  // Whether there is a task without a lease.
  bool HasPending() const;

  // The next pending task for a worker with these devices: owners take turns in the order of their names, so
  // that many studies of one are one turn; an owner's studies take turns in order of age; each gives its
  // first task by kind and index that `admit(study number, study, device, task)` does not refuse.
  using Admit = std::function<bool(int64_t, const QueuedStudy&, const v1::Device&, const TaskId&)>;
  std::optional<TaskId> Next(const std::vector<v1::Device>& devices, const Admit& admit);

  const std::map<int64_t, QueuedStudy>& studies() const { return studies_; }

 private:
  // Of an owner's studies.
  struct Turns {
    std::set<int64_t> studies;
    int64_t last = 0;  // study whose turn was last
  };
  // Of the owner's studies.
  std::optional<TaskId> NextOf(Turns& owner, const std::vector<v1::Device>& devices, const Admit& admit);

  std::map<int64_t, QueuedStudy> studies_;  // by number
  std::map<std::string, Turns> owners_;     // those with studies
  std::string last_owner_;                  // whose turn was last
};

}  // namespace tune
