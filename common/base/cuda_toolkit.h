// The CUDA toolkit of this machine.
#pragma once

#include <string>

#include "common/base/status.h"

namespace tune {

// Path of nvcc: the one in PATH, else in the folder bin of $CUDA_HOME, $CUDA_PATH, /usr/local/cuda. NOT_FOUND
// when there is none. Whether it works is not tried.
absl::StatusOr<std::string> FindNvcc();

}  // namespace tune
