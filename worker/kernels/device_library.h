// From a configuration's texts to a candidate for tune-cuda-runner.
#pragma once

#include <string>

#include "tune/v1/worker_service.pb.h"
#include "worker/build/cuda_tools.h"
#include "worker/kernels/device_adapter.h"

namespace tune {

struct DeviceBuild {
  CompileResult compiled;
  v1::CudaCandidate candidate;  // when compiled.ok
};

// Of the plain kernel that computes the reference, at the problem's sizes, where there is one; of the default
// configuration. Errors as PrintDeviceText.
absl::StatusOr<DeviceText> DeviceTextOfReference(const v1::StudySetup& setup,
                                                 const EvaluatedConfiguration& default_configuration);

// `architecture`: "sm_90". A text that does not compile is a result. Errors as Compiler::CompileProgram and
// CudaFlags, or the disk's.
absl::StatusOr<DeviceBuild> BuildDeviceText(const v1::StudySetup& setup, const DeviceText& text,
                                            const std::string& architecture, const CudaTools& tools,
                                            const CompileLimits& limits);

// The binary is PTX, in which kernels have the names of the cubin. Errors as BuildDeviceText.
absl::StatusOr<CompileResult> CompileDeviceTextToPtx(const v1::StudySetup& setup, const DeviceText& text,
                                                     const CudaTools& tools, const CompileLimits& limits);

}  // namespace tune
