// CUDA's driver, loaded at run time.
#pragma once

#include <cuda.h>

#include <string>

#include "common/base/status.h"

// cuda.h renames some of these to their newest version; macros are expanded before they are used.
#define TUNE_DRIVER_FUNCTIONS(F)                 \
  F(cuInit)                                      \
  F(cuDriverGetVersion)                          \
  F(cuGetErrorName)                              \
  F(cuGetErrorString)                            \
  F(cuDeviceGetCount)                            \
  F(cuDeviceGet)                                 \
  F(cuDeviceGetName)                             \
  F(cuDeviceGetUuid)                             \
  F(cuDeviceTotalMem)                            \
  F(cuDeviceGetAttribute)                        \
  F(cuDevicePrimaryCtxRetain)                    \
  F(cuCtxSetCurrent)                             \
  F(cuMemGetInfo)                                \
  F(cuMemAlloc)                                  \
  F(cuMemFree)                                   \
  F(cuMemcpyHtoDAsync)                           \
  F(cuMemcpyDtoHAsync)                           \
  F(cuMemcpyDtoDAsync)                           \
  F(cuMemsetD8Async)                             \
  F(cuArray3DCreate)                             \
  F(cuArrayDestroy)                              \
  F(cuMemcpy3DAsync)                             \
  F(cuStreamCreate)                              \
  F(cuStreamSynchronize)                         \
  F(cuStreamBeginCapture)                        \
  F(cuStreamEndCapture)                          \
  F(cuGraphInstantiateWithFlags)                 \
  F(cuGraphUpload)                               \
  F(cuGraphLaunch)                               \
  F(cuGraphExecDestroy)                          \
  F(cuGraphDestroy)                              \
  F(cuEventCreate)                               \
  F(cuEventDestroy)                              \
  F(cuEventRecord)                               \
  F(cuEventQuery)                                \
  F(cuEventElapsedTime)                          \
  F(cuModuleLoadData)                            \
  F(cuModuleUnload)                              \
  F(cuModuleGetFunction)                         \
  F(cuModuleGetGlobal)                           \
  F(cuFuncGetAttribute)                          \
  F(cuFuncSetAttribute)                          \
  F(cuTexObjectCreate)                           \
  F(cuTexObjectDestroy)                          \
  F(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  F(cuLaunchKernel)                              \
  F(cuLaunchCooperativeKernel)

namespace tune {

// Pointers to the driver's functions, under their own names. Thread safe as the driver is.
struct DriverApi {
#define TUNE_POINTER(name) decltype(&::name) name = nullptr;
  TUNE_DRIVER_FUNCTIONS(TUNE_POINTER)
#undef TUNE_POINTER

  // Loaded and initialised once for the process. NOT_FOUND: no driver on this host, or one too old;
  // UNAVAILABLE: cuInit refuses. The message is one line that says what to do.
  static absl::StatusOr<const DriverApi*> Get();

  // "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)".
  std::string Describe(CUresult result) const;

  // OK, or "WHAT: " with the description: RESOURCE_EXHAUSTED when memory ran out, else INTERNAL.
  absl::Status Check(CUresult result, absl::string_view what) const;
};

}  // namespace tune
