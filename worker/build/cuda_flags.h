// What users may tell the compiler of CUDA.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune {

// The flags as NVRTC and nvcc both take them. INVALID_ARGUMENT names the first that is none of those that
// only change what is made of the text: -D -U -I -std= -use_fast_math -ftz= -prec-div= -prec-sqrt= -fmad=
// -maxrregcount= -Xptxas= -lineinfo -restrict -extra-device-vectorization -w, with one dash or two. -O3 is
// what they do anyway. Folders of -I are relative to the definition's, of which workers have the files in
// `bundle`.
absl::StatusOr<std::vector<std::string>> CudaFlags(const std::vector<std::string>& flags,
                                                   const std::string& bundle);

}  // namespace tune
