#include "common/evaluation/architecture.h"

#include "absl/strings/str_cat.h"

namespace tune {

std::string ArchitectureOf(const v1::Device& device) {
  const v1::CudaDevice& cuda = device.cuda();
  if (cuda.compute_capability_major() <= 0) return "";
  return absl::StrCat("sm_", cuda.compute_capability_major(), cuda.compute_capability_minor());
}

}  // namespace tune
