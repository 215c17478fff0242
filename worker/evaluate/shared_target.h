// Candidates that run on the host's processor and on a GPU at the same time.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "tune/v1/worker_service.pb.h"
#include "worker/build/cuda_tools.h"
#include "worker/evaluate/evaluation_target.h"
#include "worker/reference/reference_data.h"
#include "worker/reference/tuned_program.h"

namespace tune {

// Parts of a region through nvcc and the host's compiler into the user's own program, which is run for each
// sample: a sample has what that program's user waits for, copies to the device and back included. One thread
// at a time.
class SharedTarget : public EvaluationTarget {
 public:
  // Tools are not owned. `threads`: hardware threads that the CPU's parts may use. FAILED_PRECONDITION, with
  // what to do: there is no nvcc here, or no main in the program; errors of MakeSharedGenerator.
  static absl::StatusOr<std::unique_ptr<SharedTarget>> Make(const v1::StudySetup& setup,
                                                            const ReferenceData& reference,
                                                            const CudaTools& tools, int threads);

  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) override;
  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration& configuration,
                                                    const GeneratedProgram& program,
                                                    const v1::Diagnosis& diagnosis) override;
  absl::StatusOr<BuildResult> Build(const GeneratedProgram& program, const CompileLimits& limits) override;
  // The configuration of the original alone.
  absl::StatusOr<std::optional<BuildResult>> BuildOriginal(const CompileLimits& limits) override;
  std::string BuildKey() const override;
  absl::StatusOr<RunOutcome> Run(const std::vector<BuiltCandidate>& candidates,
                                 const RunLimits& limits) override;
  v1::ProgramCheck CheckProgram(const GeneratedProgram& program, Cancellation* cancellation) override;

 private:
  SharedTarget(v1::StudySetup setup, ReferenceData reference, std::unique_ptr<CodeGenerator> generator,
               const CudaTools& tools, std::string nvcc, int threads);

  absl::StatusOr<TunedProgram> ProgramOf(const GeneratedProgram& program, const std::string& object) const;

  const v1::StudySetup setup_;
  const ReferenceData reference_;
  const std::unique_ptr<CodeGenerator> generator_;
  const CudaTools tools_;
  const std::string nvcc_;
  const int threads_;
  int built_ = 0;
  std::map<std::string, TunedProgram> programs_;  // that Build made, by BuiltCandidate::cpu's library
};

// The same refusals, but for the region's, before there is a target.
absl::Status CheckSharedTools(const v1::StudySetup& setup);

}  // namespace tune
