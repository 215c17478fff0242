// Whether the device lowers its clocks to protect itself.
#pragma once

#include <memory>
#include <string>

#include "common/base/status.h"

namespace tune {

// Asks NVML, loaded at run time.
class ThrottleWatch {
 public:
  // For the device with this identity ("GPU-..."). NOT_FOUND without NVML or when it does not know the
  // device: throttling is then not seen.
  static absl::StatusOr<std::unique_ptr<ThrottleWatch>> Make(const std::string& uuid);

  // Why the clocks are held down at this moment: "hardware thermal slowdown", several joined by commas; empty
  // when they are not. A limit on power that software keeps is not counted: under load it is the usual state.
  std::string Reasons() const;

 private:
  using GetReasons = int (*)(void* device, unsigned long long* reasons);
  ThrottleWatch(GetReasons get_reasons, void* device) : get_reasons_(get_reasons), device_(device) {}

  GetReasons get_reasons_;
  void* device_;
};

// The text for NVML's bit mask of reasons.
std::string ThrottleText(unsigned long long reasons);

}  // namespace tune
