// CUDA text -> cubin.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune {

struct CubinResult {
  bool ok = false;    // the text is valid
  std::string cubin;  // of one architecture; when ok
  std::string log;    // the compiler's warnings and errors
};

// Option that keeps NVRTC from starting the driver to look into its cache, which takes long where there is a
// GPU; empty for versions that do not know it.
std::vector<std::string> WithoutDriverCache();

// Compiles with NVRTC for `arch` ("sm_90"; "compute_90": to PTX in place of a cubin), to the code that `nvcc
// -O3 -std=c++17` makes. `name` stands in messages for the text. `flags` are added to NVRTC's options. An
// error status only when NVRTC itself could not do its part.
absl::StatusOr<CubinResult> CompileCubin(const std::string& text, const std::string& name,
                                         const std::string& arch, const std::vector<std::string>& flags = {});

}  // namespace tune
