#include "worker/cuda/driver_api.h"

#include "worker/cuda/shared_library.h"

namespace tune {
namespace {

#define TUNE_TEXT(expanded) #expanded
#define TUNE_EXPANDED_TEXT(name) TUNE_TEXT(name)

absl::StatusOr<DriverApi> LoadDriver() {
  const absl::StatusOr<void*> library = OpenCudaLibrary({"libcuda.so.1"});
  if (!library.ok()) {
    return absl::NotFoundError(absl::StrCat("no NVIDIA driver on this host (", library.status().message(),
                                            "): install it, or give the container access to the GPU"));
  }
  DriverApi api;
  std::string missing;
#define TUNE_LOAD(name) \
  if (!FindSymbol(*library, TUNE_EXPANDED_TEXT(name), &api.name)) missing = TUNE_EXPANDED_TEXT(name);
  TUNE_DRIVER_FUNCTIONS(TUNE_LOAD)
#undef TUNE_LOAD
  // Drivers before CUDA 12.8 have it under its first name only, with the same meaning.
  if (api.cuEventElapsedTime == nullptr &&
      FindSymbol(*library, TUNE_TEXT(cuEventElapsedTime), &api.cuEventElapsedTime)) {
    missing.clear();
  }
  if (!missing.empty()) {
    return absl::NotFoundError(absl::StrCat("the NVIDIA driver is too old, it lacks ", missing,
                                            ": install one for CUDA 12 or newer"));
  }
  if (const CUresult result = api.cuInit(0); result != CUDA_SUCCESS) {
    return absl::UnavailableError(
        absl::StrCat("the NVIDIA driver does not start: ", api.Describe(result),
                     "; see what nvidia-smi says, and that /dev/nvidia* may be opened"));
  }
  return api;
}

}  // namespace

absl::StatusOr<const DriverApi*> DriverApi::Get() {
  static const absl::StatusOr<DriverApi>* const api = new absl::StatusOr<DriverApi>(LoadDriver());
  if (!api->ok()) return api->status();
  return &**api;
}

std::string DriverApi::Describe(CUresult result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (cuGetErrorName(result, &name) != CUDA_SUCCESS || name == nullptr)
    return absl::StrCat("CUDA error ", result);
  if (cuGetErrorString(result, &text) != CUDA_SUCCESS || text == nullptr) return name;
  return absl::StrCat(name, " (", text, ")");
}

absl::Status DriverApi::Check(CUresult result, absl::string_view what) const {
  if (result == CUDA_SUCCESS) return absl::OkStatus();
  const std::string text = absl::StrCat(what, ": ", Describe(result));
  return result == CUDA_ERROR_OUT_OF_MEMORY ? absl::ResourceExhaustedError(text) : absl::InternalError(text);
}

}  // namespace tune
