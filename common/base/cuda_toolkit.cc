#include "common/base/cuda_toolkit.h"

#include <cstdlib>

#include "common/base/launched_process.h"

namespace tune {

absl::StatusOr<std::string> FindNvcc() {
  if (absl::StatusOr<std::string> in_path = FindInPath("nvcc"); in_path.ok()) return in_path;
  const char* const homes[] = {std::getenv("CUDA_HOME"), std::getenv("CUDA_PATH"), "/usr/local/cuda"};
  for (const char* home : homes) {
    if (home == nullptr || *home == '\0') continue;
    if (absl::StatusOr<std::string> nvcc = FindInPath(absl::StrCat(home, "/bin/nvcc")); nvcc.ok())
      return nvcc;
  }
  return absl::NotFoundError(
      "no nvcc in PATH, $CUDA_HOME/bin, $CUDA_PATH/bin or /usr/local/cuda/bin; install the CUDA toolkit, or "
      "set "
      "CUDA_HOME to its folder");
}

}  // namespace tune
