#include "worker/run/confinement.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

namespace tune {
namespace {

// Sanitizers reserve terabytes of address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitAddressSpace = false;
#else
constexpr bool kLimitAddressSpace = true;
#endif

absl::Status SetLimit(decltype(RLIMIT_AS) resource, const char* name, rlim_t soft, rlim_t hard) {
  rlimit limit;
  if (getrlimit(resource, &limit) == 0) {
    limit.rlim_max = std::min(hard, limit.rlim_max);
    limit.rlim_cur = std::min(soft, limit.rlim_max);
    if (setrlimit(resource, &limit) == 0) return absl::OkStatus();
  }
  return absl::InternalError(absl::StrCat("setrlimit(", name, "): ", std::strerror(errno)));
}

// Bytes of address space in use.
int64_t AddressSpace() {
  int64_t pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * sysconf(_SC_PAGESIZE);
}

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;
#endif

// A program for the kernel's filter: system calls in `denied` fail with EPERM, clone must make a thread,
// clone3 does not exist (its flags lie in memory, where a filter cannot look; the C library then uses
// clone), everything else passes.
std::vector<sock_filter> MakeFilter() {
  std::vector<int> denied = {SYS_execve, SYS_execveat, SYS_kill,  SYS_ptrace,
                             SYS_setsid, SYS_setpgid,  SYS_socket};
#ifdef SYS_fork
  denied.push_back(SYS_fork);
#endif
#ifdef SYS_vfork
  denied.push_back(SYS_vfork);
#endif
  const auto statement = [](int code, uint32_t k) {
    return sock_filter BPF_STMT(static_cast<uint16_t>(code), k);
  };
  const auto jump = [](uint32_t k, int yes, int no) {
    return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, static_cast<uint8_t>(yes),
                                static_cast<uint8_t>(no));
  };
  const auto load = [&](size_t offset) {
    return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
  };
  const auto answer = [&](uint32_t action) { return statement(BPF_RET | BPF_K, action); };

  std::vector<sock_filter> filter;
  filter.push_back(load(offsetof(seccomp_data, arch)));
  filter.push_back(jump(kArchitecture, 1, 0));
  filter.push_back(answer(SECCOMP_RET_ERRNO | EPERM));  // calls of another architecture's table
  filter.push_back(load(offsetof(seccomp_data, nr)));
  for (int call : denied) {
    filter.push_back(jump(call, 0, 1));
    filter.push_back(answer(SECCOMP_RET_ERRNO | EPERM));
  }
#ifdef SYS_clone3
  filter.push_back(jump(SYS_clone3, 0, 1));
  filter.push_back(answer(SECCOMP_RET_ERRNO | ENOSYS));
#endif
  filter.push_back(jump(SYS_clone, 1, 0));
  filter.push_back(answer(SECCOMP_RET_ALLOW));
  filter.push_back(load(offsetof(seccomp_data, args[0])));
  filter.push_back(sock_filter BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  filter.push_back(answer(SECCOMP_RET_ERRNO | EPERM));
  filter.push_back(answer(SECCOMP_RET_ALLOW));
  return filter;
}

void FilterSystemCalls() {
  if (kArchitecture == 0) return;
  std::vector<sock_filter> filter = MakeFilter();
  sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

}  // namespace

void RaiseStackLimit() {
  constexpr rlim_t kWanted = 64 << 20;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kWanted) return;
  limit.rlim_cur = std::min(kWanted, limit.rlim_max);
  setrlimit(RLIMIT_STACK, &limit);
}

absl::Status ConfineThisProcess(const ConfinementLimits& limits) {
  TUNE_RETURN_IF_ERROR(SetLimit(RLIMIT_CORE, "CORE", 0, 0));
  TUNE_RETURN_IF_ERROR(SetLimit(RLIMIT_NOFILE, "NOFILE", 256, 256));
  if (limits.file_bytes > 0) {
    TUNE_RETURN_IF_ERROR(SetLimit(RLIMIT_FSIZE, "FSIZE", limits.file_bytes, limits.file_bytes));
  }
  if (limits.cpu_seconds > 0) {
    const rlim_t seconds = std::max<rlim_t>(1, static_cast<rlim_t>(std::ceil(limits.cpu_seconds)));
    TUNE_RETURN_IF_ERROR(SetLimit(RLIMIT_CPU, "CPU", seconds, seconds + 2));
  }
  if (limits.memory_bytes > 0 && kLimitAddressSpace) {
    const rlim_t bytes = AddressSpace() + limits.memory_bytes;
    TUNE_RETURN_IF_ERROR(SetLimit(RLIMIT_AS, "AS", bytes, bytes));
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return absl::InternalError(absl::StrCat("prctl(NO_NEW_PRIVS): ", std::strerror(errno)));
  }
  FilterSystemCalls();
  return absl::OkStatus();
}

}  // namespace tune
