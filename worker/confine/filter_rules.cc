#include "worker/confine/filter_rules.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/socket.h>

#include <cerrno>
#include <initializer_list>
#include <sstream>
#include <string>

namespace tune {
namespace {

// Names, separated by blanks. One that this architecture, or this libseccomp, does not know is left out.
constexpr char kMemoryAndThreads[] =
    "arch_prctl brk exit exit_group futex futex_waitv get_mempolicy get_robust_list getcpu gettid madvise "
    "map_shadow_stack mbind membarrier memfd_create mincore mlock mlock2 mlockall mmap mprotect mremap msync "
    "munlock munlockall munmap pkey_alloc pkey_free pkey_mprotect prctl restart_syscall rseq "
    "sched_getaffinity sched_getattr sched_getparam sched_get_priority_max sched_get_priority_min "
    "sched_getscheduler sched_rr_get_interval sched_setaffinity sched_yield set_mempolicy set_robust_list "
    "set_tid_address sigaltstack";

constexpr char kFiles[] =
    "access chdir chmod close close_range copy_file_range creat dup dup2 dup3 epoll_create epoll_create1 "
    "epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 faccessat faccessat2 fadvise64 fallocate "
    "fchdir fchmod fchmodat fchmodat2 fdatasync fgetxattr flistxattr flock fstat fstatfs fsync "
    "ftruncate futimesat getcwd getdents getdents64 getxattr ioctl lgetxattr link linkat listxattr "
    "llistxattr lseek lstat mkdir mkdirat mknod mknodat newfstatat open openat openat2 pipe pipe2 poll ppoll "
    "pread64 preadv preadv2 pselect6 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv "
    "rename renameat renameat2 rmdir select sendfile splice stat statfs statx symlink symlinkat "
    "sync_file_range tee truncate umask unlink unlinkat utime utimensat utimes vmsplice write writev";

constexpr char kTimeAndIdentity[] =
    "alarm capget clock_getres clock_gettime clock_nanosleep getegid geteuid getgid getgroups getitimer "
    "getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid "
    "gettimeofday getuid nanosleep pause rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn "
    "rt_sigsuspend rt_sigtimedwait setitimer setrlimit signalfd signalfd4 sysinfo time timer_create "
    "timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime "
    "timerfd_settime times uname";

constexpr char kProcesses[] = "execve execveat fork personality seccomp vfork wait4 waitid";

// Of processes that nobody outside can be confused with.
constexpr char kAmongOwnProcesses[] =
    "kill rt_sigqueueinfo rt_tgsigqueueinfo setpgid setpriority setsid tkill";

// Of sockets whose family is checked where they are made.
constexpr char kSocketUse[] =
    "accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmsg sendmsg sendto "
    "setsockopt shutdown";

// Of a driver, which places memory and threads.
constexpr char kPlacement[] =
    "ioprio_get ioprio_set migrate_pages move_pages sched_setattr sched_setparam sched_setscheduler shmat "
    "shmctl "
    "shmdt shmget";

constexpr unsigned long kNewNamespaces =
    CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP;

// The rules of one filter; the first error stays.
class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ERRNO(ENOSYS))), error_(context_ == nullptr ? ENOMEM : 0) {
    // A tree over the numbers, instead of hundreds of comparisons a call.
    if (context_ != nullptr) seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  }
  ~Filter() {
    if (context_ != nullptr) seccomp_release(context_);
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  template <typename... Conditions>
  void Allow(const char* names, Conditions... conditions) {
    Add(SCMP_ACT_ALLOW, names, conditions...);
  }
  void Refuse(const char* names) { Add(SCMP_ACT_ERRNO(EPERM), names); }
  int Write(int file) { return error_ != 0 ? error_ : -seccomp_export_bpf(context_, file); }

 private:
  template <typename... Conditions>
  void Add(uint32_t action, const char* names, Conditions... conditions) {
    std::istringstream words(names);
    for (std::string name; error_ == 0 && words >> name;) {
      const int number = seccomp_syscall_resolve_name(name.c_str());
      if (number == __NR_SCMP_ERROR) continue;
      error_ = -seccomp_rule_add(context_, action, number, sizeof...(conditions), conditions...);
    }
  }

  scmp_filter_ctx context_;
  int error_;
};

// Of fcntl's: none that has another process sent signals (F_SETOWN, F_SETSIG, F_NOTIFY). Equal means all 64
// bits, of which the kernel takes the lower half.
void AllowDescriptorControl(Filter& filter) {
  for (const scmp_datum_t command : {F_DUPFD,           F_GETFD,         F_SETFD,
                                     F_GETFL,           F_SETFL,         F_GETLK,
                                     F_SETLK,           F_SETLKW,        F_GETOWN,
                                     F_GETSIG,          F_OFD_GETLK,     F_OFD_SETLK,
                                     F_OFD_SETLKW,      F_DUPFD_CLOEXEC, F_SETPIPE_SZ,
                                     F_GETPIPE_SZ,      F_ADD_SEALS,     F_GET_SEALS,
                                     F_GET_RW_HINT,     F_SET_RW_HINT,   F_GET_FILE_RW_HINT,
                                     F_SET_FILE_RW_HINT}) {
    filter.Allow("fcntl", SCMP_A1(SCMP_CMP_EQ, command));
  }
}

void AllowProcesses(Filter& filter, bool alone) {
  filter.Allow(kProcesses);
  filter.Allow("clone", SCMP_A0(SCMP_CMP_MASKED_EQ, kNewNamespaces, 0));
  filter.Allow("tgkill");
  if (alone) filter.Allow(kAmongOwnProcesses);
  if (!alone) filter.Refuse(kAmongOwnProcesses);
}

void AllowThreads(Filter& filter) {
  filter.Allow("clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
  filter.Allow("kill tgkill", SCMP_A0(SCMP_CMP_EQ, kOwnProcess));
  filter.Refuse("execve execveat fork vfork setpgid setsid");
}

}  // namespace

int WriteFilter(SystemCalls calls, bool alone, int file) {
  Filter filter;
  filter.Allow(kMemoryAndThreads);
  filter.Allow(kFiles);
  filter.Allow(kTimeAndIdentity);
  AllowDescriptorControl(filter);
  // Limits of other processes are their own.
  filter.Allow("prlimit64", SCMP_A0(SCMP_CMP_EQ, 0));
  if (calls == SystemCalls::kCandidate) AllowThreads(filter);
  if (calls != SystemCalls::kCandidate) AllowProcesses(filter, alone);
  if (calls == SystemCalls::kDevice) {
    filter.Allow("socket socketpair", SCMP_A0(SCMP_CMP_EQ, AF_UNIX));
    filter.Allow(kSocketUse);
    filter.Allow(kPlacement);
  } else {
    filter.Refuse("socket socketpair");
  }
  return filter.Write(file);
}

}  // namespace tune
