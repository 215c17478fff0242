#include "worker/sandbox/control_group.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"

namespace tune {
namespace {

constexpr char kDaemon[] = "/daemon";
constexpr char kRunPrefix[] = "run-";
constexpr int64_t kPeriod = 100000;  // microseconds in which a group's processor time is counted
// What was killed is gone in some tenths of a millisecond, but for calls into a driver.
constexpr absl::Duration kLongestEnd = absl::Seconds(2);
constexpr absl::Duration kEndStep = absl::Microseconds(50);

absl::Status NotDelegated(const std::string& why) { return absl::FailedPreconditionError(why); }

// The group's path from its hierarchy's root: the line "0::/path".
absl::StatusOr<std::string> OwnPath(absl::string_view groups) {
  for (absl::string_view line : absl::StrSplit(groups, '\n')) {
    if (absl::ConsumePrefix(&line, "0::")) return std::string(line);
  }
  return NotDelegated("this process is in no group of cgroup v2");
}

// "36 35 0:29 ROOT POINT options - cgroup2 source options": which part of the hierarchy is seen, and where.
struct Mount {
  std::string root, point;
};

absl::StatusOr<Mount> FindMount(absl::string_view mounts) {
  for (const absl::string_view line : absl::StrSplit(mounts, '\n')) {
    const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(" - ", 1));
    if (parts.size() < 2 || !absl::StartsWith(parts[1], "cgroup2 ")) continue;
    const std::vector<absl::string_view> fields = absl::StrSplit(parts[0], ' ');
    if (fields.size() >= 5) return Mount{std::string(fields[3]), std::string(fields[4])};
  }
  return NotDelegated("no cgroup v2 is mounted");
}

absl::StatusOr<std::string> OwnFolder(const DelegatedGroup::Place& place, ControlFiles* files) {
  TUNE_ASSIGN_OR_RETURN(const std::string groups, files->Read(place.groups));
  TUNE_ASSIGN_OR_RETURN(const std::string mounts, files->Read(place.mounts));
  TUNE_ASSIGN_OR_RETURN(const std::string path, OwnPath(groups));
  TUNE_ASSIGN_OR_RETURN(const Mount mount, FindMount(mounts));
  absl::string_view below = path;
  // In a namespace of groups, `/..` leads out of what is seen.
  if (absl::StartsWith(path, "/.."))
    return NotDelegated(absl::StrCat("the group ", path, " is out of sight"));
  const bool seen = mount.root == "/" || absl::ConsumePrefix(&below, mount.root);
  if (!seen || (!below.empty() && below[0] != '/')) {
    return NotDelegated(absl::StrCat("the group ", path, " is not below the mount of ", mount.root));
  }
  return below == "/" ? mount.point : absl::StrCat(mount.point, below);
}

std::vector<std::string> Words(absl::string_view text) {
  return absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty());
}

bool Has(const std::vector<std::string>& words, absl::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Nothing is changed yet.
absl::Status CheckDelegated(const std::string& folder, const std::vector<std::string>& controllers,
                            pid_t self, ControlFiles* files) {
  for (const char* name : {"", "/cgroup.procs", "/cgroup.subtree_control"}) {
    if (!files->Writable(folder + name)) {
      return NotDelegated(absl::StrCat(folder, name, " is not this user's to write"));
    }
  }
  for (const char* name : {"memory", "pids"}) {
    if (!Has(controllers, name)) return NotDelegated(absl::StrCat(folder, " was not given `", name, "`"));
  }
  if (!files->Writable(folder + "/cgroup.kill")) {
    return NotDelegated(absl::StrCat(folder, " has no cgroup.kill, which kernels have from Linux 5.14 on"));
  }
  TUNE_ASSIGN_OR_RETURN(const std::string processes, files->Read(folder + "/cgroup.procs"));
  for (const std::string& process : Words(processes)) {
    if (process == absl::StrCat(self)) continue;
    return NotDelegated(absl::StrCat(folder, " is also the group of process ", process));
  }
  return absl::OkStatus();
}

// What a daemon left that was killed. Groups of one that lives are left alone, also while they are empty.
void RemoveAbandoned(const std::string& folder, ControlFiles* files) {
  std::vector<std::string> groups;
  std::error_code error;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder, error)) {
    groups.push_back(entry.path().filename().string());
  }
  for (const std::string& group : groups) {
    const std::vector<std::string> parts = absl::StrSplit(group, '-');
    pid_t owner = 0;
    if (parts.size() != 3 || parts[0] != "run" || !absl::SimpleAtoi(parts[1], &owner) || owner <= 0) continue;
    if (kill(owner, 0) == 0 || errno != ESRCH) continue;
    files->RemoveGroup(absl::StrCat(folder, "/", group)).IgnoreError();
  }
}

// Moves the process, then has the groups below counted; else moves it back.
absl::Status Divide(const std::string& folder, bool has_processors, pid_t self, ControlFiles* files) {
  const std::string daemon = folder + kDaemon, process = absl::StrCat(self);
  const absl::Status made = files->MakeGroup(daemon);
  if (!made.ok() && !absl::IsAlreadyExists(made)) return made;
  absl::Status status = files->Write(daemon + "/cgroup.procs", process);
  if (status.ok()) {
    status = files->Write(folder + "/cgroup.subtree_control",
                          has_processors ? "+memory +pids +cpu" : "+memory +pids");
    if (status.ok()) return status;
    files->Write(folder + "/cgroup.procs", process).IgnoreError();
  }
  files->RemoveGroup(daemon).IgnoreError();
  return NotDelegated(std::string(status.message()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<DelegatedGroup>> DelegatedGroup::Take(const Place& place,
                                                                     ControlFiles* files) {
  const pid_t self = place.self == 0 ? getpid() : place.self;
  TUNE_ASSIGN_OR_RETURN(std::string folder, OwnFolder(place, files));
  TUNE_ASSIGN_OR_RETURN(const std::string given, files->Read(folder + "/cgroup.controllers"));
  const std::vector<std::string> controllers = Words(given);
  TUNE_RETURN_IF_ERROR(CheckDelegated(folder, controllers, self, files));
  const bool has_processors = Has(controllers, "cpu");
  TUNE_RETURN_IF_ERROR(Divide(folder, has_processors, self, files));
  RemoveAbandoned(folder, files);
  return std::unique_ptr<DelegatedGroup>(new DelegatedGroup(std::move(folder), has_processors, self, files));
}

absl::Status DelegatedGroup::Limit(const std::string& group, const ControlGroupLimits& limits) {
  if (limits.memory_bytes > 0) {
    TUNE_RETURN_IF_ERROR(files_->Write(group + "/memory.max", absl::StrCat(limits.memory_bytes)));
    // Not there where the machine has no swap.
    const absl::Status swap = files_->Write(group + "/memory.swap.max", "0");
    if (!swap.ok() && !absl::IsNotFound(swap)) return swap;
  }
  if (limits.processes > 0) {
    TUNE_RETURN_IF_ERROR(files_->Write(group + "/pids.max", absl::StrCat(limits.processes)));
  }
  if (limits.processors > 0 && has_processors_) {
    TUNE_RETURN_IF_ERROR(
        files_->Write(group + "/cpu.max", absl::StrCat(limits.processors * kPeriod, " ", kPeriod)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<ControlGroup>> DelegatedGroup::MakeRun(const ControlGroupLimits& limits) {
  std::string group;
  absl::Status made;
  do {  // past those that a daemon with the same number left
    group = absl::StrCat(folder_, "/", kRunPrefix, self_, "-", ++runs_);
    made = files_->MakeGroup(group);
  } while (absl::IsAlreadyExists(made));
  TUNE_RETURN_IF_ERROR(made);
  std::unique_ptr<ControlGroup> run(new ControlGroup(group, files_));
  TUNE_RETURN_IF_ERROR(Limit(group, limits));
  return run;
}

ControlGroup::~ControlGroup() {
  files_->Write(folder_ + "/cgroup.kill", "1").IgnoreError();
  for (absl::Duration waited; waited < kLongestEnd; waited += kEndStep) {
    const absl::Status removed = files_->RemoveGroup(folder_);
    if (removed.ok() || absl::IsNotFound(removed)) return;
    absl::SleepFor(kEndStep);
  }
}

// `oom_kill` also counts those that the machine's own lack of memory killed; `oom` tells that this group had
// reached its limit (cgroup-v2.rst, memory.events).
bool ControlGroup::OutOfMemory() const {
  const absl::StatusOr<std::string> events = files_->Read(folder_ + "/memory.events");
  if (!events.ok()) return false;
  const std::vector<std::string> words = Words(*events);
  const auto counted = [&](absl::string_view event) {
    for (size_t i = 0; i + 1 < words.size(); i += 2) {
      if (words[i] == event) return words[i + 1] != "0";
    }
    return false;
  };
  return counted("oom") && counted("oom_kill");
}

}  // namespace tune
