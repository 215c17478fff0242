// Binary + reference -> samples and a verdict on the outputs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/runner.pb.h"
#include "worker/run/cancellation.h"

namespace tune {

struct RunRequest {
  // Without wall_seconds and huge_pages.
  v1::RunnerJob job;
  double wall_seconds = 60;
  int threads = 0;  // that OpenMP starts where a candidate does not say; 0: its own choice
  Cancellation* cancellation = nullptr;  // may be null
};

struct RunOutcome {
  // Parallel to the job's candidates; every outcome is set, with a one-line message when it is not CORRECT.
  std::vector<v1::RunnerVerdict> verdicts;
  std::string log;            // what the candidates printed, the last 64 KiB
  std::string device;         // on cuda: that ran them, "cuda:1"
  double waited_seconds = 0;  // for a device that was busy
  bool unanswered = false;    // on cuda: a runner ended, or was ended at the wall limit, without an answer
};

class Runner {
 public:
  virtual ~Runner() = default;
  // Whatever a candidate does is its verdict; an error status says that the worker itself could not do its
  // part (no tune-runner, disk full, input files gone).
  virtual absl::StatusOr<RunOutcome> Run(const RunRequest& request) = 0;
};

// Runs each job in a new tune-runner, in a sandbox: the judge, and below it a process for each candidate.
// When one of several candidates has used up the time, the others are run again without it.
class ProcessRunner : public Runner {
 public:
  // NOT_FOUND when tune-runner is not beside this program. Raises this process's limit of open files to what
  // it may be.
  static absl::StatusOr<std::unique_ptr<ProcessRunner>> Make();
  absl::StatusOr<RunOutcome> Run(const RunRequest& request) override;

 private:
  explicit ProcessRunner(std::string program) : program_(std::move(program)) {}
  std::string program_;
};

}  // namespace tune
