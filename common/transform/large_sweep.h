// Kernels that touch more than the device's cache holds.
#pragma once

#include <cstdint>

#include "common/device/device_facts.h"
#include "common/kernel/kernel.h"

namespace tune {

// A launch that touches more than this share of the device's cache leaves little there of what it touched
// first: on an H200 more than 45 MiB of 60.
constexpr double kCachedShare = 0.75;

// Whether a launch of the kernel does, by its largest arrays; false where the cache's size is not known.
inline bool SweepsOverMuch(const Kernel& kernel, const DeviceFacts& device) {
  if (kernel.bands.empty() || device.l2_bytes == 0) return false;
  auto bytes = static_cast<double>(kernel.bytes_of_iteration);
  for (const int64_t trip_count : kernel.bands[0].trip_counts)
    bytes *= trip_count < 0 ? INT32_MAX : static_cast<double>(trip_count);
  return bytes > kCachedShare * static_cast<double>(device.l2_bytes);
}

}  // namespace tune
