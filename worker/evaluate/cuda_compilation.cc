#include "worker/evaluate/cuda_compilation.h"

#include "absl/strings/str_replace.h"
#include "common/base/untrusted_file.h"
#include "common/evaluation/architecture.h"
#include "common/evaluation/compile_flags.h"

namespace tune {

std::vector<std::string> DeviceCompilerFlags(const v1::StudySetup& setup) {
  if (setup.rounding() != v1::ROUNDING_EXACT) return {};
  return {kExactCudaFlag};
}

absl::StatusOr<CompileResult> CompileToCubin(const v1::StudySetup& setup, const std::string& kernels,
                                             CubinCompiler* compiler, const CompileLimits& limits) {
  return compiler->Compile(kernels, ArchitectureOf(setup.device()), limits, DeviceCompilerFlags(setup));
}

absl::StatusOr<CompileResult> CompileToPtx(const v1::StudySetup& setup, const std::string& kernels,
                                           CubinCompiler* compiler, const CompileLimits& limits) {
  const std::string virtual_architecture =
      absl::StrReplaceAll(ArchitectureOf(setup.device()), {{"sm_", "compute_"}});
  return compiler->Compile(kernels, virtual_architecture, limits, DeviceCompilerFlags(setup));
}

absl::StatusOr<std::string> BinaryOf(const CompileResult& compiled, int64_t most) {
  if (compiled.cancelled) return absl::CancelledError("cancelled");
  if (!compiled.ok) return absl::AbortedError(compiled.message);
  return ReadUntrustedFile(compiled.binary, most);
}

}  // namespace tune
