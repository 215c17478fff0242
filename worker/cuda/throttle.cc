#include "worker/cuda/throttle.h"

#include <vector>

#include "absl/strings/str_join.h"
#include "worker/cuda/nvml.h"
#include "worker/cuda/shared_library.h"

namespace tune {
namespace {

constexpr unsigned long long kHardwareSlowdown = 0x08, kSoftwareThermal = 0x20, kHardwareThermal = 0x40,
                             kPowerBrake = 0x80;

}  // namespace

std::string ThrottleText(unsigned long long reasons) {
  std::vector<std::string> texts;
  if (reasons & kHardwareThermal) texts.push_back("hardware thermal slowdown");
  if (reasons & kPowerBrake) texts.push_back("hardware power brake");
  if (reasons & kSoftwareThermal) texts.push_back("software thermal slowdown");
  // Set together with the two above it, or alone.
  if ((reasons & kHardwareSlowdown) && !(reasons & (kHardwareThermal | kPowerBrake))) {
    texts.push_back("hardware slowdown");
  }
  return absl::StrJoin(texts, ", ");
}

absl::StatusOr<std::unique_ptr<ThrottleWatch>> ThrottleWatch::Make(const std::string& uuid) {
  TUNE_ASSIGN_OR_RETURN(const NvmlDevice opened, OpenNvmlDevice(uuid));
  GetReasons get_reasons = nullptr;
  if (!FindSymbol(opened.library, "nvmlDeviceGetCurrentClocksEventReasons", &get_reasons) &&
      !FindSymbol(opened.library, "nvmlDeviceGetCurrentClocksThrottleReasons", &get_reasons))
    return absl::NotFoundError("NVML lacks what is needed to see throttling");
  return std::unique_ptr<ThrottleWatch>(new ThrottleWatch(get_reasons, opened.device));
}

std::string ThrottleWatch::Reasons() const {
  unsigned long long reasons = 0;
  if (get_reasons_(device_, &reasons) != kNvmlSuccess) return "";
  return ThrottleText(reasons);
}

}  // namespace tune
