// Runs another program under limits and collects what it says.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/base/status.h"

namespace tune {

struct SubprocessOptions {
  std::string folder;                    // working directory; empty: this process's
  std::vector<std::string> environment;  // "NAME=value", added to this process's environment
  bool whole_environment = false;        // nothing of this process's is passed on
  std::string standard_input;            // text to feed, then the stream ends
  absl::Duration wall_limit = absl::InfiniteDuration();
  absl::Duration cpu_limit = absl::InfiniteDuration();
  int64_t memory_limit_bytes = 0;        // RLIMIT_AS; 0: none
  int64_t file_limit_bytes = 0;          // RLIMIT_FSIZE; 0: none
  int niceness = 0;                      // added to this process's: who yields the processor to others
  size_t output_limit_bytes = 64 << 10;  // of each stream the last so many bytes are kept
  // Standard output goes to this file instead (made anew) and SubprocessResult::standard_output stays empty.
  std::string standard_output_file;
  // Open descriptors of this process, from 3 on, that the child has, too, under the same numbers; no others.
  std::vector<int> inherited;
  // Polled about every 50 ms while the child runs; true ends it (`cancelled`). May be null.
  bool (*cancelled)(void*) = nullptr;
  void* cancelled_argument = nullptr;
};

struct SubprocessResult {
  int exit_code = -1;      // valid when it exited
  int signal = 0;          // that ended it, or 0
  bool timed_out = false;  // killed at wall_limit (or by SIGXCPU at cpu_limit)
  bool cancelled = false;
  int64_t exceeded_memory_bytes =
      0;  // what all its processes might have, when one was killed for more; else 0
  std::string standard_output;
  std::string standard_error;
  absl::Duration wall_time;

  bool ok() const { return signal == 0 && exit_code == 0 && !timed_out && !cancelled; }
  // "exited with status 1", "was killed by signal 11 (Segmentation fault)", "ran out of time after 5s".
  std::string Describe() const;
};

// Runs argv[0] (looked up in PATH) in a process group of its own, which is killed as a whole at the
// end, at a limit, and when this process dies (PR_SET_PDEATHSIG). Blocks until it has ended. An error
// status only when the program could not be started (NOT_FOUND: no such program).
absl::StatusOr<SubprocessResult> RunSubprocess(const std::vector<std::string>& argv,
                                               const SubprocessOptions& options = {});

// Absolute path of the program beside this process's own executable (build/bin/NAME), or NOT_FOUND.
absl::StatusOr<std::string> FindSiblingProgram(absl::string_view name);

}  // namespace tune
