#include "worker/cuda/device_timer.h"

#include <time.h>

#include <algorithm>
#include <utility>

namespace tune {
namespace {

// Most runs are over within this time, and sleeping would lengthen them.
constexpr double kSpinSeconds = 200e-6;
constexpr long kShortestSleep = 20'000, kLongestSleep = 1'000'000;  // nanoseconds

}  // namespace

absl::StatusOr<DeviceEvent> DeviceEvent::Make(const DeviceSession& session) {
  DeviceEvent event;
  event.session_ = &session;
  TUNE_RETURN_IF_ERROR(
      session.Check(session.driver().cuEventCreate(&event.event_, CU_EVENT_DEFAULT), "cuEventCreate"));
  return event;
}

DeviceEvent::~DeviceEvent() {
  if (event_ != nullptr) session_->driver().cuEventDestroy(event_);
}

DeviceEvent::DeviceEvent(DeviceEvent&& other) noexcept { *this = std::move(other); }

DeviceEvent& DeviceEvent::operator=(DeviceEvent&& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(event_, other.event_);
  return *this;
}

CUresult DeviceEvent::Record() { return session_->driver().cuEventRecord(event_, session_->stream()); }

CUresult DeviceEvent::WaitUntil(double deadline) const {
  const double start = MonotonicSeconds();
  long sleep = kShortestSleep;
  while (true) {
    const CUresult result = session_->driver().cuEventQuery(event_);
    if (result != CUDA_ERROR_NOT_READY) return result;
    const double now = MonotonicSeconds();
    if (now >= deadline) return CUDA_ERROR_NOT_READY;
    if (now - start < kSpinSeconds) continue;
    const timespec pause = {0, sleep};
    nanosleep(&pause, nullptr);
    sleep = std::min(2 * sleep, kLongestSleep);
  }
}

absl::StatusOr<double> DeviceEvent::SecondsSince(const DeviceEvent& earlier) const {
  float milliseconds = 0;
  TUNE_RETURN_IF_ERROR(session_->Check(
      session_->driver().cuEventElapsedTime(&milliseconds, earlier.event_, event_), "cuEventElapsedTime"));
  return 1e-3 * milliseconds;
}

}  // namespace tune
