// Hand-written kernels on the host's processor.
#pragma once

#include <memory>

#include "common/base/file.h"
#include "common/kernel_definition/configuration_reader.h"
#include "tune/v1/worker_service.pb.h"
#include "worker/evaluate/evaluation_target.h"
#include "worker/kernels/kernel_library.h"
#include "worker/reference/reference_data.h"

namespace tune {

// C functions, with the configuration as macros, through the host's compiler into a process of its own. The
// "original" beside candidates is what computed the reference. One thread at a time.
class KernelTarget : public EvaluationTarget {
 public:
  // Compiler and runner are not owned. `threads`: hardware threads that candidates may use. Errors:
  // ConfigurationReader::Make's, and UNAVAILABLE where no folder can be made.
  static absl::StatusOr<std::unique_ptr<KernelTarget>> Make(v1::StudySetup setup, ReferenceData reference,
                                                            Compiler* compiler, Runner* runner, int threads);

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
  KernelTarget(v1::StudySetup setup, ReferenceData reference, ConfigurationReader reader,
               TemporaryFolder libraries, Compiler* compiler, Runner* runner, int threads);

  absl::StatusOr<BuildResult> BuildText(const KernelText& text, const CompileLimits& limits);

  const v1::StudySetup setup_;
  const ReferenceData reference_;
  const ConfigurationReader reader_;
  const TemporaryFolder libraries_;  // of the last candidates that were built
  Compiler* const compiler_;
  Runner* const runner_;
  const int threads_;
  int built_ = 0;
};

}  // namespace tune
