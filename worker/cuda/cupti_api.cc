#include "worker/cuda/cupti_api.h"

#include <cstdlib>
#include <cstring>

#include "worker/cuda/shared_library.h"

namespace tune {
namespace {

absl::StatusOr<CuptiApi> LoadCupti() {
  const char* wish = std::getenv("TUNE_CUPTI");
  if (wish != nullptr && std::strcmp(wish, "off") == 0) {
    return absl::NotFoundError("CUPTI is turned off by TUNE_CUPTI=off");
  }
  const absl::StatusOr<void*> library = OpenCudaLibrary({"libcupti.so.13", "libcupti.so.12"});
  if (!library.ok()) {
    return absl::NotFoundError(
        absl::StrCat("no CUPTI on this host (", library.status().message(),
                     "): install the CUDA toolkit 12 or 13, or set CUDA_HOME to where it lies"));
  }
  CuptiApi api;
  api.library = *library;
#define TUNE_LOAD(name)                                                                     \
  if (!FindSymbol(*library, #name, &api.name)) {                                            \
    return absl::NotFoundError("CUPTI lacks " #name ": install the CUDA toolkit 12 or 13"); \
  }
  TUNE_CUPTI_FUNCTIONS(TUNE_LOAD)
#undef TUNE_LOAD
  return api;
}

}  // namespace

absl::StatusOr<const CuptiApi*> CuptiApi::Get() {
  static const absl::StatusOr<CuptiApi>* const api = new absl::StatusOr<CuptiApi>(LoadCupti());
  if (!api->ok()) return api->status();
  return &**api;
}

absl::Status CuptiApi::Check(CUptiResult result, absl::string_view what) const {
  if (result == CUPTI_SUCCESS) return absl::OkStatus();
  const char* text = nullptr;
  if (cuptiGetResultString(result, &text) != CUPTI_SUCCESS || text == nullptr) text = "unknown error";
  const std::string message = absl::StrCat(what, ": ", text);
  const bool forbidden = result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
                         result == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES;
  return forbidden ? absl::PermissionDeniedError(message) : absl::InternalError(message);
}

}  // namespace tune
