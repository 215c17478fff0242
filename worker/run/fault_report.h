// What the runner says about itself in a file that it maps, so that it is known also after the candidate
// ended the process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune {

enum class RunPhase : int32_t { kStarting, kLoading, kFirstRun, kChecking, kSampling, kDone };

// "loading", "its first run", ...: completes "crashed in ...".
const char* RunPhaseName(RunPhase phase);

// Plain data: written by a signal handler, read by another process.
struct RunReport {
  RunPhase phase = RunPhase::kStarting;
  int32_t candidate = 0;     // index into RunnerJob.candidates
  int32_t signal = 0;        // that the candidate raised, 0: none seen
  int32_t error_number = 0;  // errno of the thread that raised it; ENOMEM: an allocation had failed before
  int32_t stack_overflow = 0;
  int32_t array = -1;        // index into RunnerJob.arrays whose memory or guard was hit, or -1
  int64_t array_offset = 0;  // bytes from the array's start
  uint64_t address = 0;
};

// Makes the file, for the worker.
absl::Status MakeRunReport(const std::string& path);

// What is there now, for the worker: nothing is known when the file is not as it was made, for the candidate
// may have cut it short or put something else in its place.
RunReport ReadRunReport(const std::string& path);

// The file in the runner's memory.
class SharedRunReport {
 public:
  static absl::StatusOr<SharedRunReport> Open(const std::string& path);
  ~SharedRunReport();
  SharedRunReport(SharedRunReport&& other) noexcept : report_(other.report_) { other.report_ = nullptr; }

  volatile RunReport* get() const { return report_; }

 private:
  explicit SharedRunReport(RunReport* report) : report_(report) {}
  RunReport* report_;
};

// Where an array lies, its guards included.
struct ArrayRange {
  uint64_t begin = 0, data = 0, end = 0;
};

// Makes SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT fill `report` before they end the process as
// usual. `report` and this call's effect last for the rest of the process; call once.
absl::Status ReportFatalSignals(volatile RunReport* report, const std::vector<ArrayRange>& arrays);

}  // namespace tune
