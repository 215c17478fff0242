// Hand-written kernels on a GPU.
#pragma once

#include <memory>

#include "common/kernel_definition/configuration_reader.h"
#include "tune/v1/worker_service.pb.h"
#include "worker/build/cuda_tools.h"
#include "worker/evaluate/evaluation_target.h"
#include "worker/kernels/device_adapter.h"
#include "worker/reference/reference_data.h"

namespace tune {

// CUDA C, with the configuration as macros and template arguments, through NVRTC or nvcc into the process
// that holds the device. The "original" beside candidates is what computed the reference, where that was a
// kernel. Thread safe: candidates are built in parallel, and wait for a device.
class CudaKernelTarget : public EvaluationTarget {
 public:
  // Errors: ConfigurationReader::Make's.
  static absl::StatusOr<std::unique_ptr<CudaKernelTarget>> Make(v1::StudySetup setup, ReferenceData reference,
                                                                const CudaTools& tools);

  bool parallel() const override { return true; }
  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) override;
  // INVALID_ARGUMENT: nothing is generated that there could be stages of.
  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration& configuration,
                                                    const GeneratedProgram& program,
                                                    const v1::Diagnosis& diagnosis) override;
  absl::StatusOr<BuildResult> Build(const GeneratedProgram& program, const CompileLimits& limits) override;
  absl::StatusOr<std::optional<BuildResult>> BuildOriginal(const CompileLimits& limits) override;
  std::string BuildKey() const override;
  absl::StatusOr<RunOutcome> Run(const std::vector<BuiltCandidate>& candidates,
                                 const RunLimits& limits) override;
  // There is no program around the kernels.
  v1::ProgramCheck CheckProgram(const GeneratedProgram& program, Cancellation* cancellation) override;

 private:
  CudaKernelTarget(v1::StudySetup setup, ReferenceData reference, ConfigurationReader reader,
                   const CudaTools& tools);

  absl::StatusOr<BuildResult> BuildText(const DeviceText& text, const CompileLimits& limits);

  const v1::StudySetup setup_;
  const ReferenceData reference_;
  const ConfigurationReader reader_;
  const CudaTools tools_;
};

}  // namespace tune
