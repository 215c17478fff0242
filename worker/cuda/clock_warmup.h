// Brings the device's clocks to where they stay under load.
#pragma once

#include "worker/cuda/device_timer.h"
#include "worker/cuda/utility_kernels.h"

namespace tune {

// An idle device lowers its clocks, and takes tens of milliseconds to raise them again.
class ClockWarmup {
 public:
  // `kernels` may be null: then nothing is done. Both outlive this object.
  static absl::StatusOr<ClockWarmup> Make(const DeviceSession& session, const UtilityKernels* kernels);

  // The device has just ended some work.
  void NoteWork() { last_work_ = MonotonicSeconds(); }

  // After more than 50 ms without work: spins for at least 30 ms, and until three spins of the same number of
  // clocks in a row took times within 0.5% of each other, but no longer than 300 ms.
  absl::Status WarmUp();

 private:
  ClockWarmup(const UtilityKernels* kernels, DeviceEvent begin, DeviceEvent end)
      : kernels_(kernels), begin_(std::move(begin)), end_(std::move(end)) {}
  absl::StatusOr<double> TimedSpin();

  const UtilityKernels* kernels_;
  DeviceEvent begin_, end_;
  double last_work_ = 0;
};

}  // namespace tune
