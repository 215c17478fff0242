// What a GPU can do at most.
#pragma once

#include <string>

#include "tune/v1/device.pb.h"
#include "worker/cuda/device_session.h"

namespace tune {

// Measured on the session's device, which nobody else should use meanwhile, in about half a second: chains of
// fused multiply-adds on all multiprocessors in float and double; copying and reading arrays that the L2
// cache does not hold, and such that it does; of each the best of several runs. NOT_FOUND without NVRTC;
// INTERNAL when it or the device refuses the kernels.
absl::StatusOr<v1::PeakRates> MeasureDevicePeaks(const DeviceSession& session);

// CUDA text of the kernels.
std::string PeakKernelsText();

}  // namespace tune
