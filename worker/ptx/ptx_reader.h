// PTX text -> data.
#pragma once

#include "common/base/status.h"
#include "worker/ptx/ptx_module.h"

namespace tune {

// What a text may have before it is refused: it may be a stranger's.
inline constexpr size_t kMostPtxBytes = size_t{16} << 20;
inline constexpr size_t kMostPtxInstructions = 200'000;

// As nvcc and NVRTC print it. Instructions are taken as they are written: opcodes of later versions pass.
// INVALID_ARGUMENT with the line: not PTX. RESOURCE_EXHAUSTED: more of it than the limits above.
absl::StatusOr<PtxModule> ReadPtx(absl::string_view text);

}  // namespace tune
