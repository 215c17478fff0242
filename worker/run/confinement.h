// What a process gives up before it loads a candidate.
#pragma once

#include <cstdint>

#include "common/base/status.h"

namespace tune {

struct ConfinementLimits {
  int64_t memory_bytes = 0;  // address space beyond what the process uses now; 0: no limit
  int64_t file_bytes = 0;    // 0: no limit
  double cpu_seconds = 0;    // of all threads together; 0: no limit
};

// For the rest of this process: limits on memory, CPU time, file size and open files, no core dumps, no new
// privileges, and the system calls of a candidate alone (worker/confine/system_calls.h).
absl::Status ConfineThisProcess(const ConfinementLimits& limits);

// Raises the stack's soft limit towards 64 MiB for candidates with local arrays, as far as allowed.
void RaiseStackLimit();

}  // namespace tune
