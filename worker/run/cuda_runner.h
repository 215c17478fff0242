// The worker's side of tune-cuda-runner (proto/tune/v1/runner.proto): the only way from here to a GPU.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/base/message_process.h"
#include "tune/v1/device.pb.h"
#include "tune/v1/runner.pb.h"
#include "worker/run/cancellation.h"
#include "worker/run/clock_keeper.h"
#include "worker/run/runner.h"
#include "worker/run/staged_files.h"

namespace tune {

struct CudaRunRequest {
  v1::CudaJob job;
  // For the whole job, however often it is begun again; the runner is killed then.
  double wall_seconds = 60;
  Cancellation* cancellation = nullptr;  // may be null
};

// What takes jobs for one device.
class CudaRunner {
 public:
  virtual ~CudaRunner() = default;
  // Whatever a candidate does is its verdict, as with Runner; an error status says that the worker itself
  // could not do its part. Thread safe; one job at a time.
  virtual absl::StatusOr<RunOutcome> Run(const CudaRunRequest& request) = 0;
  // Whether the device can run at these clocks. FAILED_PRECONDITION: which it has, or why none can be set,
  // and what to do.
  virtual absl::Status CheckClocks(const std::vector<int>& /*mhz*/) { return absl::OkStatus(); }
  // A job will come soon: what can be made ready is made ready meanwhile. Returns at once.
  virtual void Prepare() {}
};

// Candidates of different clocks (CudaCandidate.graphics_clock_mhz) are not measured in turns, but those of
// each clock after those of another. The clock is set around each job, and set back after it. Keeps one
// tune-cuda-runner for a device, started when it is first needed and again after a candidate has ended it, in
// a sandbox that has the device, and of files those of the job that runs. Once that has happened, another one
// stands by, with the device open, to take over. When one of several candidates ends it, the others are run
// again without that one, in the time that is left: each try of several gets half of it, a candidate alone
// its share. Who gets none is a TIMEOUT.
class ProcessCudaRunner : public CudaRunner {
 public:
  // `program`: tune-cuda-runner. `ordinal`: the driver's index of the device.
  ProcessCudaRunner(std::string program, int ordinal)
      : program_(program), ordinal_(ordinal), clock_(std::move(program), ordinal) {}
  absl::StatusOr<RunOutcome> Run(const CudaRunRequest& request) override;
  absl::Status CheckClocks(const std::vector<int>& mhz) override;
  // Starts the process, which opens the device.
  void Prepare() override;

 private:
  struct Answer {
    // Verdicts of the first candidates of the job. When the device is lost, the last one is that of the
    // candidate which spoilt it, and there may be fewer than the job has.
    RunOutcome outcome;
    bool device_lost = false;
    // Set when the process ended without an answer: the verdict on whichever candidate it was.
    std::optional<v1::RunnerVerdict> ended;
  };
  // The process in its sandbox.
  absl::StatusOr<std::unique_ptr<MessageProcess>> StartProcess() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Shows the job's files to the process.
  absl::Status StageFiles(v1::CudaJob* job) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // What the process wrote of the job's outputs becomes files of `folder`.
  absl::Status TakeRecorded(const v1::CudaJob& job, const std::string& folder)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Makes process_ one that runs.
  absl::Status EnsureProcess() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void LoseProcess() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Of candidates with one clock.
  absl::StatusOr<RunOutcome> RunAtClock(const CudaRunRequest& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<RunOutcome> RunAsSet(const CudaRunRequest& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // One message to the process.
  absl::StatusOr<Answer> RunOnce(CudaRunRequest request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string program_;
  const int ordinal_;
  absl::Mutex mutex_;
  // Of all processes; none where there is no sandbox.
  std::optional<StagedFiles> staged_ ABSL_GUARDED_BY(mutex_);
  // Where the processes write outputs that are recorded; none where there is no sandbox.
  std::optional<TemporaryFolder> recorded_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<MessageProcess> process_ ABSL_GUARDED_BY(mutex_), standby_ ABSL_GUARDED_BY(mutex_);
  bool lost_one_ ABSL_GUARDED_BY(mutex_) = false;
  ClockKeeper clock_ ABSL_GUARDED_BY(mutex_);
};

// The devices that the runner finds. NOT_FOUND when there is no tune-cuda-runner (built without CUDA's
// headers), FAILED_PRECONDITION when it finds none: both in one line with what to do.
absl::StatusOr<std::vector<v1::Device>> FindCudaDevices();

}  // namespace tune
