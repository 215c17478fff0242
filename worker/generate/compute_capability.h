// GPUs of which the architecture alone is known, for code that is made where there is no GPU.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/device.pb.h"

namespace tune {

// "sm_60", "sm_61", ...: those that DeviceOfArchitecture knows, oldest first.
std::vector<std::string> KnownArchitectures();

// A device with what all of this architecture ("sm_90") have in common: threads, registers, shared memory;
// the L2 cache is that of a common device, and its model is the architecture. `multiprocessors`: 0 takes
// those of a common device. INVALID_ARGUMENT lists the architectures that are known.
absl::StatusOr<v1::Device> DeviceOfArchitecture(const std::string& architecture, int multiprocessors);

}  // namespace tune
