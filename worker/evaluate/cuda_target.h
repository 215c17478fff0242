// Candidates on a GPU.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tune/v1/worker_service.pb.h"
#include "worker/build/cuda_tools.h"
#include "worker/evaluate/evaluation_target.h"
#include "worker/evaluate/generator_pool.h"
#include "worker/reference/reference_data.h"

namespace tune {

// CUDA C through NVRTC or nvcc, and its launch sequence as C through the host's compiler, into the process
// that holds the device. Thread safe: candidates are generated and built in parallel, and wait for a device.
class CudaTarget : public EvaluationTarget {
 public:
  // `generators`: the most that are kept.
  CudaTarget(v1::StudySetup setup, ReferenceData reference, GeneratorPool::Factory make_generator,
             int generators, const CudaTools& tools);

  bool parallel() const override { return true; }
  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) override;
  // The stage "instructions" is what each kernel is made of.
  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration& configuration,
                                                    const GeneratedProgram& program,
                                                    const v1::Diagnosis& diagnosis) override;
  absl::StatusOr<std::optional<BuildResult>> BuildOriginal(const CompileLimits&) override {
    return std::nullopt;
  }
  absl::StatusOr<BuildResult> Build(const GeneratedProgram& program, const CompileLimits& limits) override;
  std::string BuildKey() const override;
  absl::StatusOr<RunOutcome> Run(const std::vector<BuiltCandidate>& candidates,
                                 const RunLimits& limits) override;
  // Needs nvcc.
  v1::ProgramCheck CheckProgram(const GeneratedProgram& program, Cancellation* cancellation) override;

 private:
  // Of the program's kernels as PTX.
  absl::Status FindInstructions(const CudaProgram& program, std::vector<v1::Finding>* findings) const;

  const v1::StudySetup setup_;
  const ReferenceData reference_;
  const CudaTools tools_;
  GeneratorPool generators_;
};

}  // namespace tune
