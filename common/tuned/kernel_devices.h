// Hand-written kernels that were tuned on several devices, in one program.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "common/tuned/kernel_sizes.h"
#include "tune/v1/device.pb.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// A device that kernels were tuned on.
struct KernelDevice {
  std::string model;   // "NVIDIA H200"
  std::string tag;     // "NVIDIA_H200": in names of files and functions
  int capability = 0;  // compute capability, 900 of 9.0; 0: no GPU
  int multiprocessors = 0;
};

// Of devices of different models. INVALID_ARGUMENT: two of one model.
absl::StatusOr<std::vector<KernelDevice>> FindKernelDevices(const std::vector<v1::Device>& devices);

// Headers of several devices as one: the compiler takes the one that it is told with
// -DTUNED_ON_NVIDIA_H200, and refuses others. `name`: of the file, for its messages. `headers`: parallel to
// `devices`.
std::string PrintDeviceHeaders(const std::vector<KernelDevice>& devices,
                               const std::vector<std::string>& headers, absl::string_view name);

// What nvcc, or cc, is told of a device: "-DTUNED_ON_NVIDIA_H200".
std::string DeviceMacroOf(const KernelDevice& device);

// A CUDA file with the launch function of all devices, which calls that of the device that is current in each
// call: the one of its model; else, of those whose code it runs (of a compute capability that is not above
// its own), the one of the highest capability, of these the one with the most similar number of
// multiprocessors. Where none is, cudaErrorNoKernelImageForDevice.
//   cudaError_t tuned_NAME(cudaStream_t stream, SIZES..., ARGUMENTS...)
// It calls tuned_NAME_TAG, of PrintTunedKernelFile, or of PrintKernelDispatch where there are several
// `sizes`, whose arguments it has.
std::string PrintKernelDeviceDispatch(const v1::KernelDefinition& definition,
                                      const std::vector<KernelDevice>& devices,
                                      const std::vector<KernelSize>& sizes, absl::string_view comment);

}  // namespace tune
