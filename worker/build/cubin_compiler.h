// CUDA C -> device code, without a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "worker/build/binary_cache.h"
#include "worker/build/compiler.h"

namespace tune {

struct KernelSource {
  std::string text;                    // CUDA C, which may include the files
  const v1::Program* files = nullptr;  // and folders where files are looked for; not owned
  std::vector<std::string> kernels;    // functions as C++ writes them: "blur::rows<32, float>"
  std::vector<std::string> flags;      // that NVRTC and nvcc both know
};

struct NamedCubin {
  CompileResult compiled;
  // In the binary, of each of the source's kernels. Empty where the compiler does not tell (nvcc).
  std::vector<std::string> names;
};

// Thread safe. Runs one process for each text that it has not seen.
class CubinCompiler {
 public:
  // `tune-cuda-runner --compile` (NVRTC): about as fast as the compiler itself. NOT_FOUND without the
  // program.
  static absl::StatusOr<std::unique_ptr<CubinCompiler>> MakeNvrtc(const std::string& version,
                                                                  const std::string& cache_folder);
  // nvcc -cubin. Errors of FindNvcc; FAILED_PRECONDITION when it does not tell its version.
  static absl::StatusOr<std::unique_ptr<CubinCompiler>> MakeNvcc(const std::string& cache_folder);

  // `source`: CUDA C with the kernels. `architecture`: "sm_90". `flags` are those that NVRTC and nvcc both
  // know. The result's binary is a cubin; PTX for "compute_90".
  absl::StatusOr<CompileResult> Compile(const std::string& source, const std::string& architecture,
                                        const CompileLimits& limits,
                                        const std::vector<std::string>& flags = {});

  // Hand-written kernels, which lie in files of their own and may be templates. Equal texts and flags with
  // other files make another binary.
  absl::StatusOr<NamedCubin> CompileKernels(const KernelSource& source, const std::string& architecture,
                                            const CompileLimits& limits);

  // Whether NamedCubin has names.
  bool tells_names() const { return !nvcc_; }

  // "NVRTC 13.0", "nvcc 13.0": what a cubin depends on besides text and architecture.
  const std::string& version() const { return version_; }

 private:
  CubinCompiler(std::string version, BinaryCache cache)
      : version_(std::move(version)), cache_(std::move(cache)) {}
  std::vector<std::string> Command(const std::string& architecture, const std::vector<std::string>& kernels,
                                   const std::vector<std::string>& flags) const;

  std::string version_;
  BinaryCache cache_;
  std::string program_;
  bool nvcc_ = false;
};

}  // namespace tune
