// CUDA text -> cubin.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune {

struct CubinResult {
  bool ok = false;                 // the text is valid
  std::string cubin;               // of one architecture; when ok
  std::string log;                 // the compiler's warnings and errors
  std::vector<std::string> names;  // in the binary, of CubinOptions::kernels; when ok
};

struct CubinOptions {
  std::vector<std::string> flags;    // added to NVRTC's options
  std::vector<std::string> kernels;  // whose names are to be told, as C++ writes them: "rows<32, float>"
};

// Option that keeps NVRTC from starting the driver to look into its cache, which takes long where there is a
// GPU; empty for versions that do not know it.
std::vector<std::string> WithoutDriverCache();

// Compiles with NVRTC for `arch` ("sm_90"; "compute_90": to PTX in place of a cubin), to the code that `nvcc
// -O3 -std=c++17` makes, unless the flags name another standard. `name` stands in messages for the text. An
// error status only when NVRTC itself could not do its part.
absl::StatusOr<CubinResult> CompileCubin(const std::string& text, const std::string& name,
                                         const std::string& arch, const CubinOptions& options = {});

}  // namespace tune
