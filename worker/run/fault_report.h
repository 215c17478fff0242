// What a candidate's process says of the signal that ends it.
#pragma once

#include <cstdint>
#include <vector>

#include "common/base/status.h"

namespace tune {

// Plain data: written by a signal handler, read by another process, which must not believe it.
struct FaultReport {
  int32_t signal = 0;        // that the candidate raised, 0: none seen
  int32_t error_number = 0;  // errno of the thread that raised it; ENOMEM: an allocation had failed before
  int32_t stack_overflow = 0;
  int32_t array = -1;        // index into RunnerJob.arrays whose memory or guard was hit, or -1
  int64_t array_offset = 0;  // bytes from the array's start
  uint64_t address = 0;
};

// Where an array lies, its guards included.
struct ArrayRange {
  uint64_t begin = 0, data = 0, end = 0;
};

// Makes SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT fill `report` before they end the process as
// usual. `report` and this call's effect last for the rest of the process; call once.
absl::Status ReportFatalSignals(volatile FaultReport* report, const std::vector<ArrayRange>& arrays);

}  // namespace tune
