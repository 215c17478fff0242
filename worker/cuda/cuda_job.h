// Checks and measures candidates on one device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tune/v1/runner.pb.h"
#include "worker/cuda/clock_warmup.h"
#include "worker/cuda/counters.h"
#include "worker/cuda/kept_arrays.h"
#include "worker/cuda/kernel_times.h"
#include "worker/cuda/launch_probe.h"
#include "worker/cuda/throttle.h"
#include "worker/measure/stopping_rule.h"

namespace tune {

// Keeps a device ready between jobs: context, the runner's kernels, and the arrays of the last studies. One
// thread.
class CudaJobRunner {
 public:
  // Errors of DeviceSession::Open.
  static absl::StatusOr<std::unique_ptr<CudaJobRunner>> Make(int ordinal);

  // Never fails: see CudaResult. After one with device_lost no further job may be run.
  v1::CudaResult Run(const v1::CudaJob& job);

 private:
  // One candidate of the job, from loading to its last sample.
  struct Runnable {
    explicit Runnable(const v1::Sampling& sampling) : rule(sampling) {}
    bool alive() const { return verdict.outcome() == v1::CORRECT; }

    std::unique_ptr<LoadedCandidate> candidate;
    CandidateMemory memory;
    StoppingRule rule;
    v1::RunnerVerdict verdict;
    double turn_seconds = 0;  // what its last turn took; at first what it will take, most likely
    int fresh_run_after = 0;  // so many samples
    bool fresh_run_done = false;
    std::vector<v1::KernelEvaluation> kernels;
  };

  // One sample of each candidate.
  struct Round {
    std::vector<std::pair<Runnable*, double>> samples;
    bool complete = true;  // there was time for all
  };

  CudaJobRunner() = default;
  absl::Status LoadTools(int ordinal);

  absl::Status RunSteps();
  absl::Status LoadArrays();
  absl::Status LoadAndCheck(const v1::CudaCandidate& candidate);
  absl::Status Load(const v1::CudaCandidate& candidate, Runnable& runnable);
  absl::Status ProbeBlocks(Runnable& runnable);
  absl::Status FirstRun(Runnable& runnable);
  absl::Status CheckOutputs(Runnable& runnable);
  // Once, before a sample that the candidate cannot foresee or, when there are as many as suffice, at the
  // end.
  absl::Status RunOnFreshInputs(Runnable& runnable, bool at_end);
  bool CutShort(Runnable& runnable);
  absl::Status MeasureAlone(Runnable& runnable);
  absl::Status MeasureInTurns();
  absl::Status MeasureRound(Round* round);
  void JudgeUnmeasured();
  absl::Status TimeKernels(Runnable& runnable);
  absl::Status CountMetrics(Runnable& runnable);

  // Seconds of a timed run; nullopt when it did not end well: the verdict then says so.
  absl::StatusOr<std::optional<double>> Sample(Runnable& runnable);
  // Makes the verdict of how a run ended. True when it ended well.
  bool Accept(Runnable& runnable, const RegionRunEnd& end);
  // Makes the verdict of one that there was no time for.
  void FailForTime(Runnable& runnable) const;
  // Whether work that took `seconds` before would end, with a margin, before the worker ends this process.
  bool TimeFor(double seconds) const;
  static void Fail(Runnable& runnable, v1::Outcome outcome, std::string message);
  // True when the samples just taken are to be dropped because the device throttles.
  bool Throttled(int* drops);
  void Note(std::string note);
  // Attributes the time since the last call to a stage of the candidate's evaluation.
  void EndStage(const char* stage, Runnable& runnable);
  // Whether the candidate is at most so many times slower than the best one.
  bool Worthy(double times, const Runnable& runnable) const;

  // Of the process.
  std::unique_ptr<DeviceSession> session_;
  std::unique_ptr<UtilityKernels> kernels_;  // null without NVRTC
  std::unique_ptr<ThrottleWatch> throttle_;  // null without NVML
  std::optional<OutputCompare> compare_;
  std::optional<ClockWarmup> warmup_;
  std::optional<LaunchProbe> probe_;
  std::optional<KernelTimer> kernel_timer_;
  std::optional<Counters> counters_;
  std::vector<std::string> first_notes_;  // for the first job's result

  std::unique_ptr<KeptArrays> kept_;

  // Of the job under way.
  const v1::CudaJob* job_ = nullptr;
  double job_start_ = 0;
  double slowest_first_ = 0;        // seconds of a first run, with all that belongs to it
  RegionArrays* arrays_ = nullptr;  // of kept_
  RegionRun* run_ = nullptr;
  v1::Sampling sampling_;
  OutputTolerance tolerance_;
  std::vector<std::unique_ptr<Runnable>> runnables_;
  bool device_lost_ = false;
  int lost_by_ = -1;  // index of the runnable
  double stage_start_ = 0;
  v1::CudaResult result_;
};

}  // namespace tune
