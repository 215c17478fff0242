// The texts between tune-cuda-runner and kernels of the user's CUDA file.
#pragma once

#include <string>
#include <vector>

#include "common/kernel_definition/launch.h"
#include "tune/v1/device.pb.h"
#include "tune/v1/runner.pb.h"

namespace tune {

// What a candidate is made of beside the user's files and flags.
struct DeviceText {
  std::string unit;                  // CUDA C: includes the user's file, and checks what kernels take
  std::string launches;              // C that defines tune_launch_sequence (worker/print/launch_sequence.h)
  std::vector<std::string> macros;   // "NAME=VALUE"
  std::vector<std::string> kernels;  // as C++ writes them, parallel to those of `candidate`
  // Without cubin, launch sequence and the names that kernels have in the cubin.
  v1::CudaCandidate candidate;
};

// `file`: what is included. The arguments that a kernel takes are told to the compiler, which refuses one
// that takes others: in number, in size, arrays for numbers. INVALID_ARGUMENT for a function's argument that
// is not there, and a file that no line of C can name.
absl::StatusOr<DeviceText> PrintDeviceText(const v1::KernelDefinition& definition, const std::string& file,
                                           const EvaluatedConfiguration& configuration);

// INVALID_ARGUMENT, which names the kernel, for a launch that the device does not take.
absl::Status CheckLaunches(const EvaluatedConfiguration& configuration, const v1::Device& device);

}  // namespace tune
