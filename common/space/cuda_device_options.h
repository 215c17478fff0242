// What a CUDA device allows, as the space's options.
#pragma once

#include "common/space/cuda_space.h"
#include "common/space/ppcg_space.h"
#include "tune/v1/device.pb.h"

namespace tune {

// Options of the space of studies that are bound to `device`: its multiprocessors, its limits of a block, and
// for expanded arrays a quarter of its memory, at most 4 GiB; `exact` as in StudySpec. What the device leaves
// open keeps the default of CudaSpaceOptions. Server and worker both use this: a walk must ask the same on
// both.
CudaSpaceOptions CudaOptionsOf(const v1::Device& device, bool exact = false);

// The same of studies whose generator is PPCG: the limits of a block.
PpcgSpaceOptions PpcgOptionsOf(const v1::Device& device);

}  // namespace tune
