// Turns a configuration into C.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/space/cpu_space.h"
#include "common/space/cuda_space.h"
#include "tune/v1/configuration.pb.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/scop.pb.h"
#include "worker/print/cuda_program.h"

namespace tune {

struct DeviceText;  // worker/kernels/device_adapter.h
struct KernelText;  // worker/kernels/kernel_library.h

struct GeneratedProgram {
  // A C block, braces included, that computes the region at the reference's parameter values, in terms of the
  // user's own names; one that may fail says whether it has (common/tuned/tuned_file.h). It stands in place
  // of the region (drop_in.h) and inside the function that the runner calls (region_function.h): the same
  // text in both.
  std::string code;
  // Equal for equal text: candidates with the same code are not run twice.
  std::string fingerprint;
  // Of the `cuda` target: the file that defines what `code` calls (CudaRegion::file), and its parts.
  std::string device_file;
  CudaProgram cuda;
  // Of hand-written kernels alone: what is built, for the host or for a device; `code` is
  // PrintConfigurationHeader of the configuration.
  std::shared_ptr<const KernelText> host_kernels = nullptr;
  std::shared_ptr<const DeviceText> device_kernels = nullptr;
};

// What the user gets of a program of the `cuda` target.
GeneratedProgram DeviceCode(CudaProgram program, const v1::Scop& scop);

// One generator serves one study. One thread at a time.
class CodeGenerator {
 public:
  virtual ~CodeGenerator() = default;
  // INVALID_ARGUMENT: the configuration is not one of the space (outcome CONSTRAINTS).
  // RESOURCE_EXHAUSTED, INTERNAL: the polyhedral library gave up or failed (outcome COMPILE).
  virtual absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) = 0;
  // What is asked about how this configuration's code is made. FAILED_PRECONDITION: its mapping is wrong;
  // INVALID_ARGUMENT: there is no such stage; other errors as above.
  virtual absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration& configuration,
                                                            const v1::Diagnosis& diagnosis) = 0;
};

// OpenMP C for the `cpu` target, walked over common/space/cpu_space.h.
absl::StatusOr<std::unique_ptr<CodeGenerator>> MakeOpenMpGenerator(const v1::Scop& scop,
                                                                   const v1::Reference& reference,
                                                                   int hardware_threads);
// The same over a space that is there, and was maybe walked.
std::unique_ptr<CodeGenerator> MakeOpenMpGenerator(std::unique_ptr<CpuSpace> space);

// CUDA C for the `cuda` target, walked over common/space/cuda_space.h.
absl::StatusOr<std::unique_ptr<CodeGenerator>> MakeCudaGenerator(const v1::Scop& scop,
                                                                 const v1::Reference& reference,
                                                                 const CudaSpaceOptions& options);

// The region in its original order, as extracted: the sequential program.
absl::StatusOr<GeneratedProgram> GenerateSequential(const v1::Scop& scop, const v1::Reference& reference);

}  // namespace tune
