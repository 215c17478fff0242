// What follows from a GPU's compute capability alone.
#pragma once

#include <utility>
#include <vector>

#include "common/device/device_facts.h"

namespace tune {

// Major and minor numbers of those that FactsOfComputeCapability knows, oldest first.
std::vector<std::pair<int, int>> KnownComputeCapabilities();

// Limits of all devices of that capability, with the multiprocessors, the L2 cache, where it is known, and
// the bandwidth of a common one. Of an unknown capability: the numbers alone, the rest as in DeviceFacts.
DeviceFacts FactsOfComputeCapability(int major, int minor);

}  // namespace tune
