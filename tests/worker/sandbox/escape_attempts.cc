#include "tests/worker/sandbox/escape_attempts.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

constexpr char kSwitch[] = "TUNE_SANDBOX_NAMESPACES";

constexpr char kAttempts[] = R"C(
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int attempts_reached, attempts_read_state;
static void attempt(const char *what, int success) {
  if (!success) return;
  ++attempts_reached;
  fprintf(stderr, "reached: %s\n", what);
}
static int can_open(const char *path, int flags) {
  int fd = open(path, flags | O_NONBLOCK, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
static int can_read(const char *path) {
  char byte, target[300];
  int fd = open(path, O_RDONLY | O_NONBLOCK), success = fd >= 0 && read(fd, &byte, 1) > 0;
  if (fd >= 0) close(fd);
  return success || readlink(path, target, sizeof target) > 0;
}
static int can_list(const char *path) {
  DIR *folder = opendir(path);
  if (folder) closedir(folder);
  return folder != NULL;
}
static int can_connect(int family, const void *address, socklen_t size) {
  int fd = socket(family, SOCK_STREAM, 0), connected = fd >= 0 && connect(fd, address, size) == 0;
  if (fd >= 0) close(fd);
  return connected;
}
static int can_connect_unix(const char *path, int abstract) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path + abstract, path);
  return can_connect(AF_UNIX, &address, offsetof(struct sockaddr_un, sun_path) + abstract + strlen(path));
}
static void attempt_files(void) {
  char path[300];
  attempt("token file", can_open("@FOLDER@/token", O_RDONLY));
  attempt("token file by a relative path", can_open("../../../../../../../../@FOLDER@/token", O_RDONLY));
  attempt("database", can_open("@FOLDER@/lab.db", O_RDWR));
  attempt("cache, to be listed", can_list("@FOLDER@/cache"));
  attempt("cache, to be written", can_open("@FOLDER@/cache/x.bin", O_WRONLY | O_CREAT));
  attempt("cached binary", can_open("@FOLDER@/cache/binary.bin", O_WRONLY));
  attempt("user list", can_open("/etc/passwd", O_RDONLY));
  attempt("root's files", can_list("/root"));
  attempt("host name", can_open("/etc/hostname", O_RDONLY));
  attempt("memory device", can_open("/dev/mem", O_RDONLY));
  attempt("disks", can_list("/dev/disk") || can_open("/dev/vda", O_RDONLY) || can_open("/dev/sda", O_RDONLY));
  attempt("/usr, to be written", can_open("/usr/attempt", O_WRONLY | O_CREAT));
  attempt("/, to be written", can_open("/attempt", O_WRONLY | O_CREAT));
  attempt("kernel settings", can_open("/proc/sys/kernel/core_pattern", O_WRONLY));
  attempt("kernel settings, to be read", !attempts_read_state && can_open("/proc/sys/kernel/core_pattern", O_RDONLY));
  attempt("sysrq", can_open("/proc/sysrq-trigger", O_WRONLY));
  attempt("kernel memory", can_open("/proc/kcore", O_RDONLY));
  attempt("environment of the worker", getenv("ATTEMPT_SECRET") != NULL || getenv("TUNE_TOKEN_FILE") != NULL);
  for (int fd = 3; fd < 256; ++fd) {
    struct stat status;
    char target[300];
    ssize_t n;
    if (fstat(fd, &status) != 0) continue;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    n = readlink(path, target, sizeof target - 1);
    target[n < 0 ? 0 : n] = 0;
    attempt("descriptor of a folder", S_ISDIR(status.st_mode));
    attempt("descriptor of the host's file", strncmp(target, "@FOLDER@/", sizeof "@FOLDER@/" - 1) == 0);
  }
}
static void attempt_process(const char *whose, int pid) {
  char path[64];
  struct rlimit limit;
  siginfo_t info = {.si_signo = SIGCONT, .si_code = -1};
  char byte, *remote = (char *)0x400000;
  struct iovec here = {&byte, 1}, there = {remote, 1};
  const char *parts[] = {"mem", "environ", "maps", "root", "cwd", "fd/0", "ns/mnt", "stack", "syscall"};
  int pidfd;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    snprintf(path, sizeof path, "/proc/%d/%s", pid, parts[i]);
    if (strcmp(parts[i], "mem") == 0 ? !can_open(path, O_RDWR) : !can_read(path)) continue;
    fprintf(stderr, "%s's ", whose);
    attempt(path, 1);
  }
  /* A signal within the sandbox hurts nobody outside. */
  if (pid != 1) attempt("signal by kill", kill(pid, SIGCONT) == 0);
  if (pid != 1) attempt("signal by tkill", syscall(SYS_tkill, pid, SIGCONT) == 0);
  if (pid != 1) attempt("signal by tgkill", syscall(SYS_tgkill, pid, pid, SIGCONT) == 0);
  if (pid != 1) attempt("signal by rt_sigqueueinfo", syscall(SYS_rt_sigqueueinfo, pid, SIGCONT, &info) == 0);
  if (pid != 1) attempt("signal by fcntl", fcntl(0, F_SETOWN, pid) == 0);
  pidfd = syscall(SYS_pidfd_open, pid, 0);
  attempt("pidfd", pidfd >= 0);
  if (pidfd >= 0) attempt("signal by pidfd", syscall(SYS_pidfd_send_signal, pidfd, SIGCONT, NULL, 0) == 0);
  attempt("process_vm_readv", syscall(SYS_process_vm_readv, pid, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT);
  attempt("ptrace", ptrace(PTRACE_SEIZE, pid, 0, 0) == 0);
  attempt("limits by prlimit", syscall(SYS_prlimit64, pid, RLIMIT_NOFILE, NULL, &limit) == 0);
  attempt("kcmp", syscall(SYS_kcmp, pid, pid, 0, 1, 1) >= 0);
}
static void attempt_network(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(@PORT@)};
  char ring[512] = {0};
  inet_aton("127.0.0.1", &address.sin_addr);
  attempt("port of this machine", can_connect(AF_INET, &address, sizeof address));
  attempt("socket with a path", can_connect_unix("@FOLDER@/socket", 0));
  attempt("abstract socket", can_connect_unix("@DAEMON@-socket", 1));
  attempt("raw socket", socket(AF_INET, SOCK_RAW, 1) >= 0);
  attempt("packet socket", socket(AF_PACKET, SOCK_RAW, 0) >= 0);
  attempt("io_uring", syscall(SYS_io_uring_setup, 8, ring) >= 0);
}
static void attempt_kernel(void) {
  char nothing[256] = {0};
  attempt("mount", mount("tmpfs", "/tmp", "tmpfs", 0, "") == 0);
  attempt("bind mount", mount("/", "/tmp", NULL, MS_BIND, NULL) == 0);
  attempt("umount", umount2("/proc", MNT_DETACH) == 0);
  attempt("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1) >= 0);
  attempt("chroot", chroot("/tmp") == 0);
  attempt("user namespace", unshare(CLONE_NEWUSER) == 0);
  attempt("mount namespace", unshare(CLONE_NEWNS) == 0);
  attempt("setns", setns(0, 0) == 0);
  attempt("bpf", syscall(SYS_bpf, 0, nothing, sizeof nothing) >= 0);
  attempt("perf_event_open", syscall(SYS_perf_event_open, nothing, 0, -1, -1, 0) >= 0);
  attempt("keys", syscall(SYS_add_key, "user", "attempt", "x", 1, -3) >= 0);
  attempt("userfaultfd", syscall(SYS_userfaultfd, 1) >= 0);
  attempt("open_by_handle_at", syscall(SYS_open_by_handle_at, 0, nothing, 0) >= 0);
  attempt("privileges by setuid", getuid() != 0 && setuid(0) == 0);
  attempt("device file", mknod("attempt.device", S_IFCHR | 0600, 0x101) == 0);
}
static void attempt_worker(void) { attempt_process("the worker", @PID@); }
static int attempt_all(void) {
  attempt_files();
  attempt_worker();
  attempt_process("the first process", 1);
  if (getppid() > 1) attempt_process("the parent", getppid());
  attempt_network();
  attempt_kernel();
  return attempts_reached;
}
static void leave_daemon(void) {
  int between = fork();
  if (between != 0) {
    waitpid(between, NULL, 0);
    return;
  }
  prctl(PR_SET_NAME, "@DAEMON@");
  setsid();
  if (fork() != 0) _exit(0);
  for (int signal = 1; signal < 65; ++signal) sigaction(signal, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
  for (int fd = 0; fd < 256; ++fd) close(fd);
  for (;;) pause();
}
)C";

// Listens at the address, or fails the test.
FileDescriptor Listen(int family, const void* address, socklen_t size) {
  FileDescriptor fd(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(bind(fd.get(), static_cast<const sockaddr*>(address), size), 0) << std::strerror(errno);
  EXPECT_EQ(listen(fd.get(), 5), 0) << std::strerror(errno);
  return fd;
}

FileDescriptor ListenUnix(const std::string& path, bool abstract) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path + (abstract ? 1 : 0), sizeof(address.sun_path) - 1);
  return Listen(AF_UNIX, &address, offsetof(sockaddr_un, sun_path) + (abstract ? 1 : 0) + path.size());
}

}  // namespace

Host::Host() : folder_(*TemporaryFolder::Make()), daemon_("esc" + std::to_string(getpid())) {
  EXPECT_TRUE(MakeFolder(folder_.path() + "/cache").ok());
  for (const char* file : {"token", "lab.db", "cache/binary.bin"}) {
    EXPECT_TRUE(WriteFile(folder_.path() + "/" + file, "secret").ok());
  }
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  internet_ = Listen(AF_INET, &address, sizeof address);
  socklen_t size = sizeof address;
  getsockname(internet_.get(), reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  named_ = ListenUnix(folder_.path() + "/socket", false);
  abstract_ = ListenUnix(daemon_ + "-socket", true);
  setenv("ATTEMPT_SECRET", "secret", 1);
  setenv("TUNE_TOKEN_FILE", (folder_.path() + "/token").c_str(), 1);
}

Host::~Host() {
  unsetenv("ATTEMPT_SECRET");
  unsetenv("TUNE_TOKEN_FILE");
}

std::string Host::Attempts() const {
  return absl::StrReplaceAll(kAttempts, {{"@FOLDER@", folder_.path()},
                                         {"@PORT@", std::to_string(port_)},
                                         {"@DAEMON@", daemon_},
                                         {"@PID@", std::to_string(getpid())}});
}

std::vector<pid_t> Host::Daemons() const {
  std::vector<pid_t> daemons;
  std::error_code error;
  for (const fs::directory_entry& process : fs::directory_iterator("/proc", error)) {
    const std::string status = ReadFile(process.path().string() + "/status").value_or("");
    // One that has ended stays in sight until the machine's first process has noticed.
    const bool ended = absl::StrContains(status, "\nState:\tZ") || absl::StrContains(status, "\nState:\tX");
    pid_t pid = 0;
    if (absl::StartsWith(status, "Name:\t" + daemon_ + "\n") && !ended &&
        absl::SimpleAtoi(process.path().filename().string(), &pid)) {
      daemons.push_back(pid);
    }
  }
  return daemons;
}

int Host::DaemonsLeft() const {
  const absl::Time end = absl::Now() + absl::Seconds(1);
  while (!Daemons().empty() && absl::Now() < end) absl::SleepFor(absl::Milliseconds(10));
  return static_cast<int>(Daemons().size());
}

void Host::EndDaemons() const {
  for (const pid_t daemon : Daemons()) kill(daemon, SIGKILL);
}

bool Host::Untouched() const {
  bool same = !fs::exists(folder_.path() + "/cache/x.bin");
  for (const char* file : {"token", "lab.db", "cache/binary.bin"}) {
    same = same && ReadFile(folder_.path() + "/" + file).value_or("") == "secret";
  }
  return same;
}

NoNamespaces::NoNamespaces() {
  if (const char* value = getenv(kSwitch)) before_ = value;
  setenv(kSwitch, "off", 1);
}

NoNamespaces::~NoNamespaces() {
  if (before_.has_value()) setenv(kSwitch, before_->c_str(), 1);
  if (!before_.has_value()) unsetenv(kSwitch);
}

std::vector<std::string> Reached(const std::string& log) {
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(log, '\n')) {
    if (absl::StrContains(line, "reached: ")) lines.emplace_back(line);
  }
  return lines;
}

}  // namespace tune
