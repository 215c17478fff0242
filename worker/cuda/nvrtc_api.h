// NVRTC, the CUDA compiler as a library, loaded at run time.
#pragma once

#include <nvrtc.h>

#include <string>

#include "common/base/status.h"

#define TUNE_NVRTC_FUNCTIONS(F) \
  F(nvrtcVersion)               \
  F(nvrtcGetErrorString)        \
  F(nvrtcCreateProgram)         \
  F(nvrtcDestroyProgram)        \
  F(nvrtcAddNameExpression)     \
  F(nvrtcCompileProgram)        \
  F(nvrtcGetLoweredName)        \
  F(nvrtcGetCUBINSize)          \
  F(nvrtcGetCUBIN)              \
  F(nvrtcGetPTXSize)            \
  F(nvrtcGetPTX)                \
  F(nvrtcGetProgramLogSize)     \
  F(nvrtcGetProgramLog)

namespace tune {

struct NvrtcApi {
#define TUNE_POINTER(name) decltype(&::name) name = nullptr;
  TUNE_NVRTC_FUNCTIONS(TUNE_POINTER)
#undef TUNE_POINTER

  // Loaded once for the process. NOT_FOUND with what to do.
  static absl::StatusOr<const NvrtcApi*> Get();

  std::string VersionText() const;  // "NVRTC 13.0"
};

}  // namespace tune
