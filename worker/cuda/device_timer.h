// Events of the device, and waiting for them with a limit.
#pragma once

#include "worker/cuda/device_session.h"
#include "worker/run/monotonic_clock.h"

namespace tune {

// A point in the stream's work. Destroyed with this object; `session` outlives it.
class DeviceEvent {
 public:
  static absl::StatusOr<DeviceEvent> Make(const DeviceSession& session);
  ~DeviceEvent();
  DeviceEvent(DeviceEvent&& other) noexcept;
  DeviceEvent& operator=(DeviceEvent&& other) noexcept;

  CUresult Record();

  // CUDA_SUCCESS when the device has passed the event, CUDA_ERROR_NOT_READY at `deadline` (MonotonicSeconds),
  // else the error that ended the work before it. Polls: a call into the driver that waits could not be ended
  // by anybody while a kernel loops for ever.
  CUresult WaitUntil(double deadline) const;

  // Device time between two events that have been passed, about 0.5 us exact.
  absl::StatusOr<double> SecondsSince(const DeviceEvent& earlier) const;

 private:
  DeviceEvent() = default;
  const DeviceSession* session_ = nullptr;
  CUevent event_ = nullptr;
};

}  // namespace tune
