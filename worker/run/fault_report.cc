#include "worker/run/run_report.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>

#include "common/base/file.h"
#include "common/base/file_descriptor.h"
#include "common/base/system_error.h"
#include "common/base/untrusted_file.h"

namespace tune {
namespace {

// State of the signal handler, set once before it is installed.
volatile RunReport* handler_report = nullptr;
const ArrayRange* handler_arrays = nullptr;
size_t handler_array_count = 0;
uint64_t stack_low = 0;

constexpr uint64_t kStackSlack = 1 << 20;  // a frame with a large local array may skip the guard page

void OnFatalSignal(int signal, siginfo_t* info, void*) {
  const int error_number = errno;
  volatile RunReport* report = handler_report;
  if (report->signal != 0) return;  // a second thread crashed; the first one counts
  report->signal = signal;
  report->error_number = error_number;
  if (signal != SIGSEGV && signal != SIGBUS) return;
  const uint64_t address = reinterpret_cast<uint64_t>(info->si_addr);
  report->address = address;
  report->stack_overflow = address + kStackSlack >= stack_low && address < stack_low + 4096;
  for (size_t i = 0; i < handler_array_count; ++i) {
    if (address < handler_arrays[i].begin || address >= handler_arrays[i].end) continue;
    report->array = static_cast<int32_t>(i);
    report->array_offset = static_cast<int64_t>(address - handler_arrays[i].data);
  }
}

// Lowest address that the main thread's stack may grow to.
uint64_t MainStackLow() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* low = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uint64_t>(low);
}

}  // namespace

const char* RunPhaseName(RunPhase phase) {
  switch (phase) {
    case RunPhase::kStarting:
      return "its preparation";
    case RunPhase::kLoading:
      return "loading";
    case RunPhase::kFirstRun:
      return "its first run";
    case RunPhase::kChecking:
      return "the check of its outputs";
    case RunPhase::kSampling:
      return "a timed run";
    case RunPhase::kDone:
      return "its end";
  }
  return "?";
}

absl::Status MakeRunReport(const std::string& path) {
  const RunReport report;
  return WriteFile(path, {reinterpret_cast<const char*>(&report), sizeof(report)});
}

RunReport ReadRunReport(const std::string& path) {
  const absl::StatusOr<std::string> bytes = ReadUntrustedFile(path, sizeof(RunReport));
  RunReport report;
  if (bytes.ok() && bytes->size() == sizeof(report)) std::memcpy(&report, bytes->data(), sizeof(report));
  if (report.phase < RunPhase::kStarting || report.phase > RunPhase::kDone)
    report.phase = RunPhase::kStarting;
  report.array_offset =
      std::max(report.array_offset, std::numeric_limits<int64_t>::min() + 1);  // it is negated
  return report;
}

absl::StatusOr<SharedRunReport> SharedRunReport::Open(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!file.open()) return SystemError(path, errno);
  void* memory = mmap(nullptr, sizeof(RunReport), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) return SystemError(path, errno);
  return SharedRunReport(static_cast<RunReport*>(memory));
}

SharedRunReport::~SharedRunReport() {
  if (report_ != nullptr) munmap(report_, sizeof(RunReport));
}

absl::Status ReportFatalSignals(volatile RunReport* report, const std::vector<ArrayRange>& arrays) {
  // Deliberately kept for the rest of the process: the handler needs it until the very end.
  ArrayRange* copy = new ArrayRange[arrays.size() + 1];
  std::copy(arrays.begin(), arrays.end(), copy);
  handler_report = report;
  handler_arrays = copy;
  handler_array_count = arrays.size();
  stack_low = MainStackLow();

  // A stack of its own, so that an overflow of the main thread's stack can be reported.
  constexpr size_t kHandlerStack = 64 << 10;
  stack_t stack = {};
  stack.ss_sp = mmap(nullptr, kHandlerStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack.ss_size = kHandlerStack;
  if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, nullptr) != 0) {
    return absl::InternalError(absl::StrCat("sigaltstack: ", std::strerror(errno)));
  }
  struct sigaction action = {};
  action.sa_sigaction = OnFatalSignal;
  // After the handler the default action is in force; the faulting instruction runs again and ends the
  // process.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    if (sigaction(signal, &action, nullptr) != 0) {
      return absl::InternalError(absl::StrCat("sigaction: ", std::strerror(errno)));
    }
  }
  return absl::OkStatus();
}

}  // namespace tune
