#include "worker/run/confinement.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "worker/confine/system_calls.h"

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
  if (const int error = AllowOnly(SystemCalls::kCandidate, /*alone=*/false); error != 0) {
    return absl::InternalError(absl::StrCat("seccomp: ", std::strerror(error)));
  }
  return absl::OkStatus();
}

}  // namespace tune
