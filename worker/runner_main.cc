// tune-runner --judge: judges candidates for tune-worker in a process that may be killed; they run below it.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tune/v1/runner.pb.h"
#include "worker/run/job_runner.h"

#if defined(__SANITIZE_ADDRESS__)
// A candidate may end its process at any point: what is then still held is no leak.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#elif defined(__SANITIZE_THREAD__)
// The threads here are those of a candidate's OpenMP runtime, whose barriers are not seen.
extern "C" const char* __tsan_default_options() { return "report_bugs=0"; }
#endif

namespace {

absl::Status Judge() {
  tune::v1::RunnerJob job;
  if (!job.ParseFromFileDescriptor(STDIN_FILENO)) {
    return absl::InvalidArgumentError("standard input: not a RunnerJob");
  }
  TUNE_ASSIGN_OR_RETURN(const tune::v1::RunnerResult result, tune::RunJob(job));
  if (result.SerializeToFileDescriptor(STDOUT_FILENO)) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("standard output: ", std::strerror(errno)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], "--judge") != 0) {
    std::fprintf(
        stderr,
        "usage: tune-runner --judge < JOB > RESULT\nRuns, checks and times what tune-worker generated; "
        "started by tune-worker only.\n");
    return 2;
  }
  const absl::Status status = Judge();
  if (!status.ok()) std::fprintf(stderr, "tune-runner: %s\n", std::string(status.message()).c_str());
  std::fflush(nullptr);
  // Without exit handlers: nothing here is worth the time.
  _exit(status.ok() ? 0 : 3);
}
