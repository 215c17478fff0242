// One execution of the region by a candidate.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "worker/cuda/device_timer.h"
#include "worker/cuda/loaded_candidate.h"
#include "worker/cuda/region_arrays.h"
#include "worker/cuda/utility_kernels.h"

namespace tune {

struct RegionRunEnd {
  enum class Kind {
    kDone,
    kRefused,      // a launch was; the device is as good as before
    kOutOfMemory,  // a launch found no device memory; likewise
    kFault,        // a kernel did what it must not; the context is lost
    kTimeout,      // a kernel still runs
  };
  Kind kind = Kind::kDone;
  std::string message;  // one line, unless done
  double seconds = 0;   // device time from before the first launch to after the last, when done
};

// Runs candidates, with a limit on the time of each run. State of the L2 cache at the start of a timed run:
// what the copies that restored the arrays left there, the same for every candidate of a job.
class RegionRun {
 public:
  // `kernels` may be null. All outlive this object.
  static absl::StatusOr<RegionRun> Make(const DeviceSession& session, const UtilityKernels* kernels,
                                        RegionArrays* arrays);

  void set_limit_seconds(double seconds) { limit_seconds_ = seconds; }
  double limit_seconds() const { return limit_seconds_; }

  // On inputs of all arrays, the candidate's own memory filled with 0xFF bytes. An error status is not the
  // candidate's fault; a broken device is INTERNAL.
  absl::StatusOr<RegionRunEnd> First(LoadedCandidate& candidate, CandidateMemory& memory);

  // On inputs of the arrays that the region writes. While the device restores them, the host already
  // enqueues, so that the way of the first launch to the device is not part of the time. Without hooks the
  // launches are a graph where the candidate wants them to be (LoadedCandidate::PrepareGraph).
  absl::StatusOr<RegionRunEnd> Timed(LoadedCandidate& candidate, const CandidateMemory& memory,
                                     const LoadedCandidate::Hooks& hooks = {});

  // What goes before a timed run, and nothing after it.
  absl::StatusOr<RegionRunEnd> RestoreAlone(LoadedCandidate& candidate, const CandidateMemory& memory);

  // On what the arrays hold, and never as a graph, which keeps the values that were passed when it was
  // recorded.
  absl::StatusOr<RegionRunEnd> OnPresent(LoadedCandidate& candidate, const CandidateMemory& memory);

 private:
  RegionRun(const DeviceSession& session, const UtilityKernels* kernels, RegionArrays* arrays,
            DeviceEvent begin, DeviceEvent end, DeviceEvent middle);
  absl::Status KeepBusy(int64_t restored_bytes);
  // To the state before a timed run, while the host enqueues the next.
  absl::Status Restore(const CandidateMemory& memory);
  absl::StatusOr<RegionRunEnd> Execute(const LoadedCandidate& candidate,
                                       const std::function<LoadedCandidate::Enqueued()>& enqueue);
  RegionRunEnd Judge(const LoadedCandidate& candidate, const LoadedCandidate::Enqueued& enqueued,
                     CUresult end) const;

  const DeviceSession* session_;
  const UtilityKernels* kernels_;
  RegionArrays* arrays_;
  DeviceEvent begin_, end_, middle_;
  std::optional<DeviceMemory> scratch_;  // without kernels
  double limit_seconds_ = 60;
};

}  // namespace tune
