// What the recorder left in its folder.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"

namespace tune {

inline constexpr int64_t kLargestRecord = 16 << 20;  // bytes of what the recorder tells, without the arrays

// Parses record.txt, one fact a line:
//   parameter NAME VALUE
//   array NAME EXTENT...      (none for a scalar)
//   memory NAME ELEMENTS      that the allocation has from the array's first one on, where that is known
//   nanoseconds N             of the region's first execution
// Sets parameters, arrays and sequential_seconds. INTERNAL when a line is none of these.
absl::Status ParseRecord(absl::string_view text, v1::Reference* reference);

// Elements of the record's lines `memory`, by the arrays' names.
std::map<std::string, int64_t> MemoryOf(absl::string_view record);

// What the recorder and who runs the program share: a file, mapped into the program, that survives its end.
struct ExecutionLog {
  static constexpr int kLaterTimes = 1000;

  int64_t entered = 0;      // how often the region was entered
  int64_t tuned = 0;        // 1: the tuned code ran in the first execution (kTellTuned)
  int64_t times_only = 0;   // set by who runs the program: the arrays are not written to files
  int64_t stops = 0;        // set by who runs the program: it stops where its region is first entered
  int64_t stopped = 0;      // 1: it is there
  int64_t goes_on = 0;      // set by who runs the program, when it may go on
  int64_t later_count = 0;  // of the times below
  int64_t later_nanoseconds[kLaterTimes] = {};  // of the executions after the first, as many as fit
};

absl::Status WriteExecutionLog(const std::string& path, const ExecutionLog& log);

// Nothing has happened when the file is not as expected.
ExecutionLog ReadExecutionLog(const std::string& path);

}  // namespace tune
