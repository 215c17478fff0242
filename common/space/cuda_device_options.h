// What a CUDA device has and allows, as the space's options.
#pragma once

#include "common/space/cuda_space.h"
#include "common/space/ppcg_space.h"
#include "tune/v1/device.pb.h"
#include "tune/v1/rounding.pb.h"

namespace tune {

// What the device's driver tells; what it or an older worker does not tell follows from its compute
// capability, and of an unknown one is what every device has. `cooperative_launch` is always told.
DeviceFacts FactsOf(const v1::Device& device);

// Options of the space of studies that are bound to `device`: its facts, and for expanded arrays a quarter of
// its memory, at most 4 GiB; `rounding` as in StudySpec. Server and worker both use this: a walk must ask the
// same on both.
CudaSpaceOptions CudaOptionsOf(const v1::Device& device, v1::Rounding rounding = v1::ROUNDING_UNSPECIFIED);

// The same of studies whose generator is PPCG: the limits of a block.
PpcgSpaceOptions PpcgOptionsOf(const v1::Device& device);

}  // namespace tune
