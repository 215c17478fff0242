#include "worker/cuda/nvml.h"

#include "absl/strings/str_cat.h"
#include "worker/cuda/shared_library.h"

namespace tune {

absl::StatusOr<NvmlDevice> OpenNvmlDevice(const std::string& uuid) {
  NvmlDevice opened;
  TUNE_ASSIGN_OR_RETURN(opened.library, OpenCudaLibrary({"libnvidia-ml.so.1"}));
  int (*initialise)() = nullptr;
  int (*by_uuid)(const char*, void**) = nullptr;
  if (!FindSymbol(opened.library, "nvmlInit_v2", &initialise) ||
      !FindSymbol(opened.library, "nvmlDeviceGetHandleByUUID", &by_uuid))
    return absl::NotFoundError("NVML lacks what is needed to find a device");
  if (initialise() != kNvmlSuccess || by_uuid(uuid.c_str(), &opened.device) != kNvmlSuccess)
    return absl::NotFoundError(absl::StrCat("NVML does not know ", uuid));
  return opened;
}

}  // namespace tune
