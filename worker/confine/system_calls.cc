#include "worker/confine/system_calls.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "worker/confine/filter_rules.h"

namespace tune {
namespace {

#include "confine/system_call_filters.inc"  // by print_filters

template <size_t size>
std::vector<sock_filter> Steps(const sock_filter (&filter)[size]) {
  return {filter, filter + size};
}

std::vector<sock_filter> FilterOf(SystemCalls calls, bool alone) {
  switch (calls) {
    case SystemCalls::kProgram:
      return alone ? Steps(kProgramAlone) : Steps(kProgramInGroup);
    case SystemCalls::kDevice:
      return alone ? Steps(kDeviceAlone) : Steps(kDeviceInGroup);
    case SystemCalls::kCandidate:
      break;
  }
  return Steps(kCandidate);
}

}  // namespace

int AllowOnly(SystemCalls calls, bool alone) {
  std::vector<sock_filter> steps = FilterOf(calls, alone);
  for (sock_filter& step : steps) {
    if (step.k == kOwnProcess) step.k = static_cast<uint32_t>(getpid());
  }
  const sock_fprog program = {static_cast<unsigned short>(steps.size()), steps.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

}  // namespace tune
