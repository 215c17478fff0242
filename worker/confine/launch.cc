#include "worker/confine/launch.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "worker/confine/failure.h"
#include "worker/confine/private_root.h"
#include "worker/confine/privileges.h"

namespace tune {
namespace {

// But for that of control groups: seen from a new one the group of the run would be outside, and the kernel
// starts no process there. The first process makes it when it is in its group.
constexpr int kNamespaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;

void Limit(decltype(RLIMIT_AS) resource, int64_t soft, int64_t hard) {
  rlimit now;
  if (soft <= 0 || getrlimit(resource, &now) != 0) return;
  const rlimit wanted = {std::min<rlim_t>(soft, now.rlim_max), std::min<rlim_t>(hard, now.rlim_max)};
  if (setrlimit(resource, &wanted) != 0) FailSandbox("setrlimit");
}

// How the command ended. In memory that all processes of the sandbox itself share: each knows a part of it.
struct Ending {
  bool executed = false;  // it ran; else the status is what became of its preparation
  bool told = false;      // the status is known
  int status = 0;         // as waitpid tells it
};

Ending* MakeEnding() {
  void* const memory =
      mmap(nullptr, sizeof(Ending), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) FailSandbox("mmap");
  return new (memory) Ending;
}

// Becomes the command.
[[noreturn]] void Execute(const Launch& launch, volatile Ending* ending) {
  rlimit core = {0, 0};
  setrlimit(RLIMIT_CORE, &core);
  if (!launch.folder.empty() && chdir(launch.folder.c_str()) != 0) FailSandbox(launch.folder);
  Limit(RLIMIT_CPU, launch.cpu_seconds, launch.cpu_seconds + 2);
  Limit(RLIMIT_FSIZE, launch.file_bytes, launch.file_bytes);
  // Elsewhere it counts all processes of the user.
  if (launch.namespaces) Limit(RLIMIT_NPROC, launch.processes, launch.processes);
  DropPrivileges(launch.namespaces);
  std::vector<char*> arguments;
  for (const std::string& word : launch.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (launch.calls.has_value()) {
    if (const int error = AllowOnly(*launch.calls, launch.namespaces); error != 0) {
      FailSandbox("seccomp", error);
    }
  }
  Limit(RLIMIT_AS, launch.memory_bytes, launch.memory_bytes);
  ending->executed = true;
  execv(arguments[0], arguments.data());
  ending->executed = false;
  FailSandbox("running " + launch.command[0]);
}

void WriteText(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    FailSandbox(path);
  close(file);
}

// As fork; the child is in the group from its first instruction on.
pid_t ForkInto(const std::string& group) {
  if (group.empty()) return fork();
  const int folder = open(group.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) FailSandbox(group);
  clone_args arguments = {};
  arguments.flags = CLONE_INTO_CGROUP;
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = folder;
  pid_t child = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof(arguments)));
  if (child < 0) {
    const int refused = errno;
    // Lists of system calls in containers often lack clone3. To move a process takes the kernel milliseconds,
    // for which all others may not fork.
    child = fork();
    if (child < 0) FailSandbox("starting a process in " + group, refused);
    if (child == 0) WriteText(group + "/cgroup.procs", "0");
  }
  if (child != 0) close(folder);
  return child;
}

// The status of `child` as waitpid tells it, when it has ended; others are reaped on the way.
int AwaitEnd(pid_t child) {
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) FailSandbox("waitpid");
  }
}

// Kills every process that this one may kill (all of its namespace), and reaps them.
void EndNamespace() {
  kill(-1, SIGKILL);
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

// The first process of the new process namespace, with whose end all others of it end: runs the command as
// its child, since the kernel keeps many signals from a first process.
// `parent_lives`: a stream that ends with the parent, whose number is not known in here.
[[noreturn]] void RunFirstProcess(const Launch& launch, int parent_lives, Ending* ending) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd end = {parent_lives, 0, 0};
  if (poll(&end, 1, 0) != 0) _exit(kSandboxFailed);  // it died before
  if (unshare(CLONE_NEWCGROUP) != 0) FailSandbox("a namespace of control groups");
  EnterPrivateRoot(launch);
  const pid_t command = fork();
  if (command < 0) FailSandbox("fork");
  if (command == 0) Execute(launch, ending);
  DropPrivileges(true);
  ending->status = AwaitEnd(command);
  EndNamespace();
  ending->told = true;
  _exit(0);
}

// Users inside are those outside.
void EnterNamespaces() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(kNamespaces) != 0) {
    FailSandbox(errno == ENOSPC ? "user namespaces: no more than user.max_user_namespaces"
                                : "user namespaces (unshare)");
  }
  WriteText("/proc/self/setgroups", "deny");
  const auto map = [](unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  WriteText("/proc/self/uid_map", map(user));
  WriteText("/proc/self/gid_map", map(group));
}

void RunInNamespaces(const Launch& launch, Ending* ending) {
  EnterNamespaces();
  // Nobody inside looks into the processes of the sandbox itself.
  prctl(PR_SET_DUMPABLE, 0);
  int life[2];
  if (pipe2(life, O_CLOEXEC) != 0) FailSandbox("pipe");
  const pid_t first = ForkInto(launch.group);
  if (first < 0) FailSandbox("fork");
  if (first == 0) {
    close(life[1]);
    RunFirstProcess(launch, life[0], ending);
  }
  const int of_first = AwaitEnd(first);
  if (!ending->told) ending->status = of_first;
}

// What the command leaves is in its process group, which the caller kills.
void RunInGroup(const Launch& launch, Ending* ending) {
  const pid_t self = getpid();
  const pid_t command = ForkInto(launch.group);
  if (command < 0) FailSandbox("fork");
  if (command == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != self) _exit(kSandboxFailed);
    Execute(launch, ending);
  }
  ending->status = AwaitEnd(command);
}

[[noreturn]] void EndAs(const Ending& ending) {
  if (WIFSIGNALED(ending.status)) {
    const int signal = WTERMSIG(ending.status);
    std::signal(signal, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    sigprocmask(SIG_UNBLOCK, &one, nullptr);
    kill(getpid(), signal);
  }
  const int code = WEXITSTATUS(ending.status);
  _exit(ending.executed && code == kSandboxFailed ? kSandboxFailed + 1 : code);
}

}  // namespace

void RunLaunch(const Launch& launch) {
  Ending* const ending = MakeEnding();
  if (launch.namespaces) RunInNamespaces(launch, ending);
  if (!launch.namespaces) RunInGroup(launch, ending);
  EndAs(*ending);
}

}  // namespace tune
