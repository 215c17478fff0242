// Where a study's space comes from.
#pragma once

#include <functional>
#include <memory>

#include "server/search/space.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Called on the study's own thread, once; may take seconds. The space is used by this thread only. An
// error is the study's failure.
using SpaceFactory = std::function<absl::StatusOr<std::unique_ptr<Space>>(
    const v1::StudySpec& spec, const v1::Reference& reference, const v1::Device& device)>;

// The real ones, on isl: the spaces of the targets `cpu` and `cuda`, for the device that the study is bound
// to.
SpaceFactory CpuStudySpace();
SpaceFactory CudaStudySpace();

// That of studies whose generator is PPCG, on cuda: of what PPCG makes it knows what the reference run has
// recorded.
SpaceFactory PpcgStudySpace();

// That of regions that CPU and GPU share, on cuda.
SpaceFactory SharedStudySpace();

// That of hand-written kernels, whatever the device: their definition's parameters.
SpaceFactory KernelStudySpace();

// That of hand-written kernels, else the one of the study's generator and of the device's target.
// INVALID_ARGUMENT for a device of another target.
SpaceFactory StudySpaces();

}  // namespace tune
