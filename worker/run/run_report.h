// What the runner says about itself in memory shared with the worker, so that it is known also after
// the candidate ended the process.
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

// One RunReport in a file.
class SharedRunReport {
 public:
  // Makes the file (the worker), or opens it (the runner).
  static absl::StatusOr<SharedRunReport> Make(const std::string& path) { return Map(path, true); }
  static absl::StatusOr<SharedRunReport> Open(const std::string& path) { return Map(path, false); }
  ~SharedRunReport();
  SharedRunReport(SharedRunReport&& other) noexcept : report_(other.report_) { other.report_ = nullptr; }

  volatile RunReport* get() const { return report_; }
  RunReport Read() const;

 private:
  static absl::StatusOr<SharedRunReport> Map(const std::string& path, bool create);
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
