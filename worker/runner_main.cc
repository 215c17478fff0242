// tune-runner JOB: runs candidates for tune-worker in a process that may be killed.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "common/base/file.h"
#include "worker/run/job_runner.h"

#if defined(__SANITIZE_ADDRESS__)
// A candidate may end this process at any point: what is then still held is no leak.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#elif defined(__SANITIZE_THREAD__)
// The threads here are those of a candidate's OpenMP runtime, whose barriers are not seen.
extern "C" const char* __tsan_default_options() { return "report_bugs=0"; }
#endif

namespace {

absl::Status Run(const char* path) {
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, tune::ReadFile(path));
  tune::v1::RunnerJob job;
  if (!job.ParseFromString(bytes)) return absl::InvalidArgumentError(absl::StrCat(path, ": not a RunnerJob"));
  return tune::RunJob(job);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], "--help") == 0) {
    std::fprintf(stderr,
                 "usage: tune-runner JOB\nRuns what tune-worker generated; started by tune-worker only.\n");
    return 2;
  }
  const absl::Status status = Run(argv[1]);
  if (!status.ok()) std::fprintf(stderr, "tune-runner: %s\n", std::string(status.message()).c_str());
  std::fflush(nullptr);
  // Without destructors and exit handlers: the candidate may have left the process in any state.
  _exit(status.ok() ? 0 : 3);
}
