// Candidates on the host's processor.
#pragma once

#include <memory>
#include <optional>

#include "common/base/file.h"
#include "tune/v1/worker_service.pb.h"
#include "worker/evaluate/evaluation_target.h"
#include "worker/reference/reference_data.h"

namespace tune {

// OpenMP C through the host's compiler into a process of its own. One thread at a time.
class CpuTarget : public EvaluationTarget {
 public:
  // Compiler and runner are not owned. `threads`: hardware threads that candidates may use.
  CpuTarget(v1::StudySetup setup, ReferenceData reference, std::unique_ptr<CodeGenerator> generator,
            Compiler* compiler, Runner* runner, int threads);

  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) override;
  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration& configuration,
                                                    const GeneratedProgram& program,
                                                    const v1::Diagnosis& diagnosis) override;
  absl::StatusOr<BuildResult> Build(const GeneratedProgram& program, const CompileLimits& limits) override;
  // As the user builds it; as extracted, where its text cannot be taken out of its function.
  absl::StatusOr<std::optional<BuildResult>> BuildOriginal(const CompileLimits& limits) override;
  std::string BuildKey() const override;
  absl::StatusOr<RunOutcome> Run(const std::vector<BuiltCandidate>& candidates,
                                 const RunLimits& limits) override;
  v1::ProgramCheck CheckProgram(const GeneratedProgram& program, Cancellation* cancellation) override;

 private:
  const v1::StudySetup setup_;
  const ReferenceData reference_;
  const std::unique_ptr<CodeGenerator> generator_;
  Compiler* const compiler_;
  Runner* const runner_;
  const int threads_;
  std::optional<TemporaryFolder> original_;  // holds what BuildOriginal made last
};

}  // namespace tune
