// What the host's processor can do at most.
#pragma once

#include <cstdint>
#include <string>

#include "tune/v1/device.pb.h"
#include "worker/build/compiler.h"

namespace tune {

// Measured on `threads` threads, which should have the processor for themselves, in about half a second, by a
// program that `compiler` builds for this processor: chains of fused multiply-adds in float and double;
// copying and reading arrays that no cache holds, and such that the largest one does; of each the best of
// several runs. Errors: the program is not built, or does not run.
absl::StatusOr<v1::PeakRates> MeasureHostPeaks(Compiler* compiler, int threads);

// Of all instances of the largest cache of this machine together, as far as `root`
// ("/sys/devices/system/cpu") tells; else 0.
int64_t LargestCacheBytes(const std::string& root);

}  // namespace tune
