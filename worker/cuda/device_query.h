// The host's CUDA devices.
#pragma once

#include "tune/v1/runner.pb.h"

namespace tune {

// Every device with its limits, or why there are none. Never fails.
v1::CudaDevices QueryDevices();

}  // namespace tune
