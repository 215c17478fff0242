#include "client/submit/background_process.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "common/base/file.h"

extern char** environ;

namespace tune {
namespace {

absl::StatusOr<FileDescriptor> OpenToWrite(const std::string& path, int flags) {
  const int fd = open(path.c_str(), O_CREAT | O_CLOEXEC | flags, 0600);
  if (fd < 0) return absl::FailedPreconditionError(absl::StrCat(path, ": ", std::strerror(errno)));
  return FileDescriptor(fd);
}

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> MergedEnvironment(const std::vector<std::string>& added) {
  std::vector<std::string> merged = added;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const absl::string_view name =
        absl::string_view(*entry).substr(0, absl::string_view(*entry).find('=') + 1);
    bool replaced = false;
    for (const std::string& other : added)
      replaced |= absl::string_view(other).substr(0, name.size()) == name;
    if (!replaced) merged.push_back(*entry);
  }
  return merged;
}

// Made before the fork: only async-signal-safe calls may follow it.
struct ChildSettings {
  std::vector<char*> arguments, environment;
  std::vector<int> inherited;
  int null = -1, log = -1;
  pid_t parent = 0;
};

[[noreturn]] void RunChild(const ChildSettings& settings) {
  setpgid(0, 0);  // Ctrl-C at the terminal reaches tunectl alone, which then stops this process in order
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != settings.parent) _exit(127);  // the parent died before prctl
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(settings.null, 0);
  dup2(settings.log, 1);
  dup2(settings.log, 2);
  for (int fd : settings.inherited) fcntl(fd, F_SETFD, 0);
  execve(settings.arguments[0], settings.arguments.data(), settings.environment.data());
  const char* error = strerrordesc_np(errno);
  for (const char* part :
       {"cannot run ", static_cast<const char*>(settings.arguments[0]), ": ", error, "\n"}) {
    const ssize_t ignored = write(2, part, strlen(part));
    (void)ignored;
  }
  _exit(127);
}

}  // namespace

absl::StatusOr<FileLock> FileLock::Try(const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(FileDescriptor file, OpenToWrite(path, O_RDWR));
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    return absl::UnavailableError(absl::StrCat(path, ": another process holds it"));
  }
  return FileLock(std::move(file));
}

absl::StatusOr<std::unique_ptr<BackgroundProcess>> BackgroundProcess::Start(const Options& options) {
  TUNE_ASSIGN_OR_RETURN(const FileDescriptor null, OpenToWrite("/dev/null", O_RDWR));
  TUNE_ASSIGN_OR_RETURN(const FileDescriptor log, OpenToWrite(options.log, O_WRONLY | O_APPEND));
  const std::vector<std::string> environment = MergedEnvironment(options.environment);
  ChildSettings settings;
  settings.arguments = Pointers(options.argv);
  settings.environment = Pointers(environment);
  settings.inherited = options.inherited;
  settings.null = null.get();
  settings.log = log.get();
  settings.parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) RunChild(settings);
  if (pid < 0) return absl::ResourceExhaustedError(absl::StrCat("cannot fork: ", std::strerror(errno)));
  return std::unique_ptr<BackgroundProcess>(new BackgroundProcess(pid));
}

BackgroundProcess::~BackgroundProcess() { Stop(absl::Seconds(10)); }

bool BackgroundProcess::Reap(bool block) {
  if (ended_) return true;
  pid_t result;
  while ((result = waitpid(pid_, &status_, block ? 0 : WNOHANG)) < 0 && errno == EINTR) {
  }
  ended_ = result != 0;  // an error means that there is no such child any more
  return ended_;
}

bool BackgroundProcess::Running() { return !Reap(false); }

void BackgroundProcess::Stop(absl::Duration grace) {
  if (Reap(false)) return;
  kill(pid_, SIGTERM);
  const absl::Time end = absl::Now() + grace;
  while (absl::Now() < end) {
    if (Reap(false)) return;
    absl::SleepFor(absl::Milliseconds(10));
  }
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  Reap(true);
}

std::string BackgroundProcess::Ending() {
  if (!Reap(false)) return "";
  if (WIFSIGNALED(status_)) {
    return absl::StrCat("was killed by signal ", WTERMSIG(status_), " (", strsignal(WTERMSIG(status_)), ")");
  }
  return absl::StrCat("exited with status ", WEXITSTATUS(status_));
}

std::string LogTail(const std::string& path, int lines) {
  const auto content = ReadFile(path);
  if (!content.ok()) return "";
  std::vector<std::string> all = absl::StrSplit(*content, '\n', absl::SkipEmpty());
  if (static_cast<int>(all.size()) > lines) all.erase(all.begin(), all.end() - lines);
  return absl::StrJoin(all, "\n");
}

}  // namespace tune
