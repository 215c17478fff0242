// How device code of a study is compiled.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tune/v1/worker_service.pb.h"
#include "worker/build/cubin_compiler.h"

namespace tune {

// Flags for NVRTC and nvcc.
std::vector<std::string> DeviceCompilerFlags(const v1::StudySetup& setup);

// Both for the study's device; the binary of the first is a cubin, of the second PTX.
absl::StatusOr<CompileResult> CompileToCubin(const v1::StudySetup& setup, const std::string& kernels,
                                             CubinCompiler* compiler, const CompileLimits& limits);
absl::StatusOr<CompileResult> CompileToPtx(const v1::StudySetup& setup, const std::string& kernels,
                                           CubinCompiler* compiler, const CompileLimits& limits);

// Bytes of a cubin that is sent to whoever inspects it.
inline constexpr int64_t kLargestCubin = 64 << 20;

// What was compiled, at most so many bytes. ABORTED: it was not, with the reason; CANCELLED; those of
// ReadUntrustedFile.
absl::StatusOr<std::string> BinaryOf(const CompileResult& compiled, int64_t most);

}  // namespace tune
