#include "worker/run/fault_report.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace tune {
namespace {

// State of the signal handler, set once before it is installed.
volatile FaultReport* handler_report = nullptr;
const ArrayRange* handler_arrays = nullptr;
size_t handler_array_count = 0;
uint64_t stack_low = 0;

constexpr uint64_t kStackSlack = 1 << 20;  // a frame with a large local array may skip the guard page

void OnFatalSignal(int signal, siginfo_t* info, void*) {
  const int error_number = errno;
  volatile FaultReport* report = handler_report;
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

absl::Status ReportFatalSignals(volatile FaultReport* report, const std::vector<ArrayRange>& arrays) {
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
