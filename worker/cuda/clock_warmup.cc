#include "worker/cuda/clock_warmup.h"

#include <algorithm>
#include <vector>

namespace tune {
namespace {

constexpr double kIdleSeconds = 0.05, kShortestWarmUp = 0.03, kLongestWarmUp = 0.3;
constexpr int64_t kSpinClocks = 4'000'000;  // some 2 ms
constexpr size_t kAgreeing = 3;
constexpr double kAgreement = 0.005;

bool Agree(const std::vector<double>& spins) {
  if (spins.size() < kAgreeing) return false;
  const auto [least, most] = std::minmax_element(spins.end() - kAgreeing, spins.end());
  return *most <= (1 + kAgreement) * *least;
}

}  // namespace

absl::StatusOr<ClockWarmup> ClockWarmup::Make(const DeviceSession& session, const UtilityKernels* kernels) {
  TUNE_ASSIGN_OR_RETURN(DeviceEvent begin, DeviceEvent::Make(session));
  TUNE_ASSIGN_OR_RETURN(DeviceEvent end, DeviceEvent::Make(session));
  return ClockWarmup(kernels, std::move(begin), std::move(end));
}

absl::StatusOr<double> ClockWarmup::TimedSpin() {
  if (begin_.Record() != CUDA_SUCCESS) return absl::InternalError("clock warm-up: cuEventRecord failed");
  TUNE_RETURN_IF_ERROR(kernels_->SpinClocks(kSpinClocks));
  if (end_.Record() != CUDA_SUCCESS || end_.WaitUntil(MonotonicSeconds() + 10) != CUDA_SUCCESS) {
    return absl::InternalError("clock warm-up: the spinning kernel did not end");
  }
  return end_.SecondsSince(begin_);
}

absl::Status ClockWarmup::WarmUp() {
  const double start = MonotonicSeconds();
  if (kernels_ == nullptr || start - last_work_ < kIdleSeconds) return absl::OkStatus();
  std::vector<double> spins;
  while (true) {
    TUNE_ASSIGN_OR_RETURN(const double seconds, TimedSpin());
    spins.push_back(seconds);
    const double passed = MonotonicSeconds() - start;
    if (passed >= kLongestWarmUp || (passed >= kShortestWarmUp && Agree(spins))) break;
  }
  NoteWork();
  return absl::OkStatus();
}

}  // namespace tune
