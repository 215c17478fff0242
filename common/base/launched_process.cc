#include "common/base/launched_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"

extern char** environ;

namespace tune {
namespace {

// This process's environment, where it is `inherited`, with `added` in place of equal names; the last counts.
std::vector<std::string> MergedEnvironment(const std::vector<std::string>& added, bool inherited) {
  std::map<std::string, std::string> merged;
  const auto put = [&merged](absl::string_view entry) {
    merged[std::string(entry.substr(0, entry.find('=')))] = std::string(entry);
  };
  for (char** entry = environ; inherited && *entry != nullptr; ++entry) put(*entry);
  for (const std::string& entry : added) put(entry);
  std::vector<std::string> result;
  for (auto& [name, entry] : merged) result.push_back(std::move(entry));
  return result;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Everything the child needs, made before the fork: between fork and exec of a process with threads
// only async-signal-safe calls are allowed, so nothing may allocate there.
struct ChildPlan {
  std::string program;
  std::vector<std::string> argument_strings, environment_strings;
  std::vector<char*> arguments, environment;
  const char* folder = nullptr;
  int standard_input = -1, standard_output = -1, standard_error = -1, error_report = -1;
  rlim_t cpu_seconds = RLIM_INFINITY, memory_bytes = RLIM_INFINITY, file_bytes = RLIM_INFINITY;
  int niceness = 0;
  std::vector<int> inherited;
  pid_t parent = 0;
};

void LowerLimit(decltype(RLIMIT_AS) resource, rlim_t soft, rlim_t hard) {
  if (soft == RLIM_INFINITY) return;
  rlimit current;
  if (getrlimit(resource, &current) != 0) return;
  rlimit wanted = {std::min(soft, current.rlim_max), std::min(hard, current.rlim_max)};
  setrlimit(resource, &wanted);
}

// Marks every descriptor from 3 on to be closed by exec.
void CloseOthersOnExec() {
#ifdef SYS_close_range
  constexpr unsigned kCloexec = 1u << 2;  // CLOSE_RANGE_CLOEXEC
  if (syscall(SYS_close_range, 3u, ~0u, kCloexec) == 0) return;
#endif
  rlimit files;
  int end = 1024;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    end = static_cast<int>(std::min<rlim_t>(files.rlim_cur, 65536));
  }
  for (int fd = 3; fd < end; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

[[noreturn]] void ReportAndExit(int error_report) {
  const int error = errno;
  ssize_t ignored = write(error_report, &error, sizeof(error));
  (void)ignored;
  _exit(127);
}

// The child's side of the fork.
[[noreturn]] void RunChild(const ChildPlan& plan) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);  // the parent died before prctl
  for (int signal :
       {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGQUIT, SIGUSR1, SIGUSR2, SIGXFSZ, SIGXCPU}) {
    std::signal(signal, SIG_DFL);
  }
  if (dup2(plan.standard_input, 0) < 0 || dup2(plan.standard_output, 1) < 0 ||
      dup2(plan.standard_error, 2) < 0) {
    ReportAndExit(plan.error_report);
  }
  CloseOthersOnExec();
  for (const int fd : plan.inherited) fcntl(fd, F_SETFD, 0);
  if (plan.folder != nullptr && chdir(plan.folder) != 0) ReportAndExit(plan.error_report);
  LowerLimit(RLIMIT_CORE, 0, 0);
  LowerLimit(RLIMIT_CPU, plan.cpu_seconds, plan.cpu_seconds == RLIM_INFINITY ? 0 : plan.cpu_seconds + 2);
  LowerLimit(RLIMIT_FSIZE, plan.file_bytes, plan.file_bytes);
  LowerLimit(RLIMIT_AS, plan.memory_bytes, plan.memory_bytes);
  if (plan.niceness > 0) setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + plan.niceness);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(plan.program.c_str(), plan.arguments.data(), plan.environment.data());
  ReportAndExit(plan.error_report);
}

// Forks with all signals blocked, so that no handler of this process runs in the child.
pid_t Fork(const ChildPlan& plan) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  if (child == 0) RunChild(plan);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return child;
}

absl::StatusOr<FileDescriptor> OpenFile(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC, 0644);
  if (fd < 0) return absl::UnavailableError(absl::StrCat(path, ": ", std::strerror(errno)));
  return FileDescriptor(fd);
}

ChildPlan MakePlan(std::string program, const std::vector<std::string>& argv,
                   const SubprocessOptions& options) {
  ChildPlan plan;
  plan.program = std::move(program);
  plan.argument_strings = argv;
  plan.environment_strings = MergedEnvironment(options.environment, !options.whole_environment);
  plan.arguments = Pointers(plan.argument_strings);
  plan.environment = Pointers(plan.environment_strings);
  if (!options.folder.empty()) plan.folder = options.folder.c_str();
  if (options.cpu_limit != absl::InfiniteDuration()) {
    plan.cpu_seconds =
        std::max<int64_t>(1, absl::ToInt64Seconds(absl::Ceil(options.cpu_limit, absl::Seconds(1))));
  }
  if (options.memory_limit_bytes > 0) plan.memory_bytes = options.memory_limit_bytes;
  if (options.file_limit_bytes > 0) plan.file_bytes = options.file_limit_bytes;
  plan.niceness = options.niceness;
  plan.inherited = options.inherited;
  plan.parent = getpid();
  return plan;
}

// The child's errno when it could not exec; 0 when it could.
int ReadExecError(FileDescriptor& report) {
  int error = 0;
  ssize_t n;
  while ((n = read(report.get(), &error, sizeof(error))) < 0 && errno == EINTR) {
  }
  return n == sizeof(error) ? error : 0;
}

}  // namespace

bool IsExecutableFile(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

absl::StatusOr<std::string> FindInPath(const std::string& name) {
  const auto absolute = [](const std::string& path) {
    std::error_code error;
    const std::filesystem::path result = std::filesystem::absolute(path, error);
    return error ? path : result.string();
  };
  if (absl::StrContains(name, '/')) {
    if (IsExecutableFile(name)) return absolute(name);
    return absl::NotFoundError(absl::StrCat(name, ": no such program"));
  }
  const char* path = std::getenv("PATH");
  for (absl::string_view folder : absl::StrSplit(path != nullptr ? path : "/usr/bin:/bin", ':')) {
    const std::string candidate = absl::StrCat(folder.empty() ? "." : folder, "/", name);
    if (IsExecutableFile(candidate)) return absolute(candidate);
  }
  return absl::NotFoundError(absl::StrCat(name, ": no such program in PATH"));
}

absl::StatusOr<LaunchedProcess> LaunchProcess(const std::vector<std::string>& argv,
                                              const SubprocessOptions& options) {
  if (argv.empty()) return absl::InvalidArgumentError("no program to run");
  TUNE_ASSIGN_OR_RETURN(std::string program, FindInPath(argv[0]));
  TUNE_ASSIGN_OR_RETURN(Pipe input, MakePipe());
  TUNE_ASSIGN_OR_RETURN(Pipe output, MakePipe());
  TUNE_ASSIGN_OR_RETURN(Pipe error, MakePipe());
  TUNE_ASSIGN_OR_RETURN(Pipe report, MakePipe());
  if (!options.standard_output_file.empty()) {
    output.read.Close();
    TUNE_ASSIGN_OR_RETURN(output.write, OpenFile(options.standard_output_file, O_WRONLY | O_CREAT | O_TRUNC));
  }
  ChildPlan plan = MakePlan(std::move(program), argv, options);
  plan.standard_input = input.read.get();
  plan.standard_output = output.write.get();
  plan.standard_error = error.write.get();
  plan.error_report = report.write.get();

  const pid_t child = Fork(plan);
  if (child < 0) return absl::ResourceExhaustedError(absl::StrCat("cannot fork: ", std::strerror(errno)));
  setpgid(child, child);  // whoever comes first; fails harmlessly after exec
  for (FileDescriptor* end : {&input.read, &output.write, &error.write, &report.write}) end->Close();
  if (const int code = ReadExecError(report.read); code != 0) {
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    const std::string text = absl::StrCat("cannot run ", plan.program,
                                          options.folder.empty() ? "" : absl::StrCat(" in ", options.folder),
                                          ": ", std::strerror(code));
    return code == ENOENT ? absl::NotFoundError(text) : absl::UnavailableError(text);
  }
  return LaunchedProcess{child, std::move(input.write), std::move(output.read), std::move(error.read)};
}

}  // namespace tune
