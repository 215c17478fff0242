#include "worker/cuda/nvrtc_api.h"

#include "worker/cuda/shared_library.h"

namespace tune {
namespace {

absl::StatusOr<NvrtcApi> LoadNvrtc() {
  const absl::StatusOr<void*> library = OpenCudaLibrary({"libnvrtc.so.13", "libnvrtc.so.12"});
  if (!library.ok()) {
    return absl::NotFoundError(
        absl::StrCat("no NVRTC on this host (", library.status().message(),
                     "): install the CUDA toolkit 12 or 13, or set CUDA_HOME to where it lies"));
  }
  NvrtcApi api;
#define TUNE_LOAD(name)                                                                     \
  if (!FindSymbol(*library, #name, &api.name)) {                                            \
    return absl::NotFoundError("NVRTC lacks " #name ": install the CUDA toolkit 12 or 13"); \
  }
  TUNE_NVRTC_FUNCTIONS(TUNE_LOAD)
#undef TUNE_LOAD
  return api;
}

}  // namespace

absl::StatusOr<const NvrtcApi*> NvrtcApi::Get() {
  static const absl::StatusOr<NvrtcApi>* const api = new absl::StatusOr<NvrtcApi>(LoadNvrtc());
  if (!api->ok()) return api->status();
  return &**api;
}

std::string NvrtcApi::VersionText() const {
  int major = 0, minor = 0;
  if (nvrtcVersion(&major, &minor) != NVRTC_SUCCESS) return "NVRTC";
  return absl::StrCat("NVRTC ", major, ".", minor);
}

}  // namespace tune
