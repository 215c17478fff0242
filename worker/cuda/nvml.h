// A device as NVML knows it.
#pragma once

#include <string>

#include "common/base/status.h"

namespace tune {

// NVML comes with the driver, its header with the toolkit or not at all: what is used of it is its documented
// interface.
inline constexpr int kNvmlSuccess = 0;

// Of the library that was loaded at run time.
struct NvmlDevice {
  void* library = nullptr;  // for FindSymbol
  void* device = nullptr;   // nvmlDevice_t
};

// The device with this identity ("GPU-..."). NOT_FOUND without NVML, or when it does not know the device.
absl::StatusOr<NvmlDevice> OpenNvmlDevice(const std::string& uuid);

}  // namespace tune
