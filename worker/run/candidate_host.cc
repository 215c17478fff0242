#include "worker/run/candidate_host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "worker/run/monotonic_clock.h"

namespace tune {
namespace {

using RegionFunction = void (*)(void**);

void EmptyRegion(void**) {}

// Of the judge's descriptors a candidate has the one for what it prints.
absl::Status LeaveDescriptors() {
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ||
      syscall(SYS_close_range, 3u, ~0u, 0u) != 0) {
    return absl::InternalError(absl::StrCat("leaving the judge's descriptors: ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

absl::Status Enter(const CandidateHostSettings& settings, RunArrays* arrays, ExchangePage* page) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != settings.judge) return absl::CancelledError("the judge has ended");
  std::signal(SIGCHLD, SIG_DFL);
  sched_setaffinity(0, sizeof settings.processors, &settings.processors);
  TUNE_RETURN_IF_ERROR(LeaveDescriptors());
  TUNE_RETURN_IF_ERROR(arrays->ProtectReadOnly());
  RaiseStackLimit();
  TUNE_RETURN_IF_ERROR(ReportFatalSignals(&page->fault, arrays->Ranges()));
  return ConfineThisProcess(settings.limits);
}

void Tell(absl::string_view trouble, ExchangePage* page) {
  page->trouble[trouble.copy(page->trouble, sizeof(page->trouble) - 1)] = '\0';
}

RegionFunction Load(const std::string& library, ExchangePage* page) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const symbol = handle == nullptr ? nullptr : dlsym(handle, "tune_region");
  if (symbol == nullptr) {
    const char* const reason = dlerror();
    Tell(reason != nullptr ? reason : "?", page);
  }
  page->loaded = symbol != nullptr;
  return reinterpret_cast<RegionFunction>(symbol);
}

void Run(RegionFunction region, RunArrays* arrays, ExchangePage* page) {
  errno = 0;  // so that a crash can be told from the consequence of a failed allocation
  const double start = MonotonicSeconds();
  region(arrays->pointers());
  page->seconds = MonotonicSeconds() - start;
}

}  // namespace

void ServeCandidate(const CandidateHostSettings& settings, RunArrays* arrays, const SharedPage& page) {
  if (const absl::Status entered = Enter(settings, arrays, page.get()); !entered.ok()) {
    Tell(entered.message(), page.get());
    _exit(1);
  }
  RegionFunction region = EmptyRegion;
  page.PassTo(Turn::kJudge);
  for (;;) {
    while (!page.WaitFor(Turn::kCandidate, -1)) {
    }
    const Deed deed = page->deed;
    if (deed == Deed::kLoad) region = Load(settings.library, page.get());
    if (deed == Deed::kRun) arrays->Restore();
    if (deed != Deed::kLoad) Run(region, arrays, page.get());
    page->processor = sched_getcpu();
    page.PassTo(Turn::kJudge);
  }
}

}  // namespace tune
