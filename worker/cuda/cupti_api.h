// CUPTI, CUDA's profiling library, loaded at run time.
#pragma once

#include <cupti.h>

#include <string>

#include "common/base/status.h"

#define TUNE_CUPTI_FUNCTIONS(F)     \
  F(cuptiGetResultString)           \
  F(cuptiActivityRegisterCallbacks) \
  F(cuptiActivityEnable)            \
  F(cuptiActivityDisable)           \
  F(cuptiActivityFlushAll)          \
  F(cuptiActivityGetNextRecord)

namespace tune {

struct CuptiApi {
#define TUNE_POINTER(name) decltype(&::name) name = nullptr;
  TUNE_CUPTI_FUNCTIONS(TUNE_POINTER)
#undef TUNE_POINTER
  void* library = nullptr;

  // Loaded once for the process. NOT_FOUND with what to do; also when the environment says TUNE_CUPTI=off.
  static absl::StatusOr<const CuptiApi*> Get();

  // OK, or "WHAT: " with CUPTI's text; PERMISSION_DENIED when CUPTI lacks privileges.
  absl::Status Check(CUptiResult result, absl::string_view what) const;
};

}  // namespace tune
