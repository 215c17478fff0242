// Checks and measures candidates on one device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tune/v1/runner.pb.h"
#include "worker/cuda/clock_warmup.h"
#include "worker/cuda/counters.h"
#include "worker/cuda/energy_meter.h"
#include "worker/cuda/kept_arrays.h"
#include "worker/cuda/kernel_times.h"
#include "worker/cuda/launch_probe.h"
#include "worker/cuda/throttle.h"
#include "worker/measure/protocol.h"
#include "worker/run/monotonic_clock.h"

namespace tune {

// Keeps a device ready between jobs: context, the runner's kernels, and the arrays of the last studies. One
// thread.
class CudaJobRunner : private Surroundings {
 public:
  // Errors of DeviceSession::Open.
  static absl::StatusOr<std::unique_ptr<CudaJobRunner>> Make(int ordinal);
  ~CudaJobRunner() override;

  // Never fails: see CudaResult. After one with device_lost no further job may be run.
  v1::CudaResult Run(const v1::CudaJob& job);

 private:
  class Candidate;

  CudaJobRunner() = default;
  absl::Status LoadTools(int ordinal);

  absl::Status RunSteps();
  absl::Status LoadArrays();
  absl::Status LoadAndCheck(const v1::CudaCandidate& candidate);
  absl::Status Load(const v1::CudaCandidate& proto, Candidate& candidate);
  absl::Status ProbeBlocks(Candidate& candidate);
  absl::Status FirstRun(Candidate& candidate);
  absl::Status CheckOutputs(Candidate& candidate);
  absl::Status RunOnFreshInputs(Candidate& candidate);
  absl::Status MeasureAll();
  absl::Status TimeKernels(Candidate& candidate);
  absl::Status CountMetrics(Candidate& candidate);
  absl::Status MeasureEnergyOf(Candidate& candidate);

  absl::StatusOr<std::optional<double>> TimedRun(Candidate& candidate);
  // Makes the verdict of how a run ended. True when it ended well.
  bool Accept(Candidate& candidate, const RegionRunEnd& end);
  // Before the worker ends this process.
  bool TimeFor(double seconds) const override;
  std::string TimeIsOver() const override;
  // The device throttles.
  bool Disturbed() override;
  absl::Status Prepare() override;
  bool Over() const override { return device_lost_; }
  double Now() const override { return MonotonicSeconds(); }
  void Note(std::string note);
  // Attributes the time since the last call to a stage of the candidate's evaluation.
  void EndStage(const char* stage, Candidate& candidate);
  // Whether the candidate is at most so many times slower than the best one.
  bool Worthy(double times, const Candidate& candidate) const;

  // Of the process.
  std::unique_ptr<DeviceSession> session_;
  std::unique_ptr<UtilityKernels> kernels_;  // null without NVRTC
  std::unique_ptr<ThrottleWatch> throttle_;  // null without NVML
  std::optional<OutputCompare> compare_;
  std::optional<ClockWarmup> warmup_;
  std::optional<LaunchProbe> probe_;
  std::optional<KernelTimer> kernel_timer_;
  std::optional<Counters> counters_;
  std::optional<EnergyMeter> energy_;
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
  std::vector<std::unique_ptr<Candidate>> candidates_;
  int drops_ = 0;  // of samples that were disturbed
  bool device_lost_ = false;
  int lost_by_ = -1;  // index of the candidate
  double stage_start_ = 0;
  v1::CudaResult result_;
};

}  // namespace tune
