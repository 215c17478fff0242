// Devices, for people.
#pragma once

#include <string>

#include "tune/v1/device.pb.h"

namespace tune {

// "cpu: Xeon, 8 cores"; "cuda:1: NVIDIA H200, sm_90, 132 multiprocessors, 139.8 GiB, driver for CUDA 13.0,
// ppcg-0.09".
// What the device leaves open is left out.
std::string DeviceLine(const v1::Device& device);

// "8 cores", on cuda "132 multiprocessors".
std::string CoresText(const v1::Device& device);

}  // namespace tune
