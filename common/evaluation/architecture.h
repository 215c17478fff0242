// What compilers call a device's instruction set.
#pragma once

#include <string>

#include "tune/v1/device.pb.h"

namespace tune {

// "sm_90", what nvcc's -arch takes; empty when the device has no compute capability.
std::string ArchitectureOf(const v1::Device& device);

}  // namespace tune
