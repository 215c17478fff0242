// Limits that the processes of a run share: each run has a control group (cgroup v2) of its own, below the
// one that the daemon was given.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "common/base/status.h"
#include "worker/sandbox/control_files.h"

namespace tune {

// Of all processes of a run together.
struct ControlGroupLimits {
  int64_t memory_bytes = 0;  // resident, with files in memory and without swap; 0: no limit
  int64_t processes = 0;     // and threads; 0: no limit
  int64_t processors = 0;    // that they keep busy, where the group was given `cpu`; 0: no limit
};

// The group of one run.
class ControlGroup {
 public:
  // Kills what is in it and removes it.
  ~ControlGroup();
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  // For tune-sandbox --group: the run's first process starts in it.
  const std::string& folder() const { return folder_; }
  // Whether the kernel killed a process for the limit of memory.
  bool OutOfMemory() const;

 private:
  friend class DelegatedGroup;
  ControlGroup(std::string folder, ControlFiles* files) : folder_(std::move(folder)), files_(files) {}

  const std::string folder_;
  ControlFiles* const files_;
};

// The group that the daemon was started in, if it may be divided: systemd's Delegate=yes. Threads may use it
// at once.
class DelegatedGroup {
 public:
  // Where the kernel tells of groups, and who asks.
  struct Place {
    std::string groups = "/proc/self/cgroup";
    std::string mounts = "/proc/self/mountinfo";
    pid_t self = 0;  // 0: this process
  };

  // Moves this process into a group `daemon` below its own, since the kernel limits only groups without
  // processes of their own, and has memory and pids, where there is it cpu, too, counted in those beside it.
  // FAILED_PRECONDITION says in one line why it may not; all is then as it was. `files` must outlive this.
  static absl::StatusOr<std::unique_ptr<DelegatedGroup>> Take(const Place& place, ControlFiles* files);

  // A group with these limits and no process. UNAVAILABLE: the kernel refuses.
  absl::StatusOr<std::unique_ptr<ControlGroup>> MakeRun(const ControlGroupLimits& limits);

  const std::string& folder() const { return folder_; }

 private:
  DelegatedGroup(std::string folder, bool has_processors, pid_t self, ControlFiles* files)
      : folder_(std::move(folder)), has_processors_(has_processors), self_(self), files_(files) {}
  absl::Status Limit(const std::string& group, const ControlGroupLimits& limits);

  const std::string folder_;
  const bool has_processors_;
  const pid_t self_;
  ControlFiles* const files_;
  std::atomic<int64_t> runs_ = 0;
};

// What to do where it is not delegated, in one line.
inline constexpr char kDelegationRemedy[] =
    "start the worker in a group of its own that it may divide: Delegate=yes in its systemd unit, or "
    "`systemd-run --user --scope -p Delegate=yes tune-worker ...`";

}  // namespace tune
