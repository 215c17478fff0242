// How the run time of the user's program is shared among its loops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/profile/sampled_program.h"
#include "client/submit/front_end.h"
#include "common/base/status.h"
#include "tune/v1/regions.pb.h"

namespace tune {

struct ProfileRequest {
  FrontEndRequest program;
  v1::LoopNests nests;                       // of program.file, as ReadLoopNests read them
  absl::Duration limit = absl::Minutes(5);   // of each run
  absl::Duration enough = absl::Seconds(1);  // a program that takes less is run again
  bool (*cancelled)(void*) = nullptr;        // as of SubprocessOptions
  void* cancelled_argument = nullptr;
};

// Times are seconds of the processor, of all threads together.
struct ProgramProfile {
  int runs = 0;
  int64_t samples = 0;                        // of all runs; 0: they were too short, and no time is known
  NestTimes times;                            // of one run, the mean of all
  std::vector<std::optional<int64_t>> calls;  // how often a nest began in one run; nothing: not counted
};

// Builds a measured copy of the program in a temporary folder, with the flags of the request, and runs it in
// the current folder with its arguments and input, again until it has taken `enough`, at most kMostRuns
// times. What it prints is not seen. INVALID_ARGUMENT: no `main`. FAILED_PRECONDITION: it cannot be built,
// and what the compiler says; it failed or did not end within the limit; there is no addr2line. CANCELLED.
absl::StatusOr<ProgramProfile> ProfileProgram(const ProfileRequest& request);

inline constexpr int kMostRuns = 20;

}  // namespace tune
