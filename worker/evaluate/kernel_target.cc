#include "worker/evaluate/kernel_target.h"

#include <filesystem>

#include "absl/strings/str_join.h"
#include "common/base/fingerprint.h"
#include "worker/evaluate/host_run.h"
#include "worker/kernels/kernel_arrays.h"
#include "worker/kernels/kernel_library.h"

namespace tune {
namespace {

// More than are confirmed at once.
constexpr int kKeptLibraries = 256;

}  // namespace

absl::StatusOr<std::unique_ptr<KernelTarget>> KernelTarget::Make(v1::StudySetup setup,
                                                                 ReferenceData reference, Compiler* compiler,
                                                                 Runner* runner, int threads) {
  TUNE_ASSIGN_OR_RETURN(ConfigurationReader reader, ConfigurationReader::Make(setup.kernel()));
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder libraries, TemporaryFolder::Make());
  return std::unique_ptr<KernelTarget>(new KernelTarget(std::move(setup), std::move(reference),
                                                        std::move(reader), std::move(libraries), compiler,
                                                        runner, threads));
}

KernelTarget::KernelTarget(v1::StudySetup setup, ReferenceData reference, ConfigurationReader reader,
                           TemporaryFolder libraries, Compiler* compiler, Runner* runner, int threads)
    : setup_(std::move(setup)),
      reference_(std::move(reference)),
      reader_(std::move(reader)),
      libraries_(std::move(libraries)),
      compiler_(compiler),
      runner_(runner),
      threads_(threads) {}

absl::StatusOr<GeneratedProgram> KernelTarget::Generate(const v1::Configuration& configuration) {
  GeneratedProgram generated;
  TUNE_ASSIGN_OR_RETURN(const EvaluatedConfiguration evaluated, reader_.Read(configuration));
  generated.code = PrintConfigurationHeader(evaluated);
  TUNE_ASSIGN_OR_RETURN(KernelText text, TextOfConfiguration(setup_.kernel(), evaluated));
  generated.fingerprint = Fingerprint(absl::StrCat(absl::StrJoin(text.macros, "\n"), "\n", text.adapter));
  generated.host_kernels = std::make_shared<const KernelText>(std::move(text));
  return generated;
}

absl::StatusOr<std::vector<v1::Finding>> KernelTarget::Diagnose(const v1::Configuration&,
                                                                const GeneratedProgram&,
                                                                const v1::Diagnosis&) {
  return absl::InvalidArgumentError(
      "hand-written kernels have neither a mapping nor stages that could be shown; replay without them");
}

absl::StatusOr<BuildResult> KernelTarget::Build(const GeneratedProgram& program,
                                                const CompileLimits& limits) {
  return BuildText(*program.host_kernels, limits);
}

absl::StatusOr<BuildResult> KernelTarget::BuildText(const KernelText& text, const CompileLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  BuildResult result;
  TUNE_ASSIGN_OR_RETURN(result.compiled,
                        CompileKernels(setup_, text, folder.path() + "/kernels", compiler_, limits));
  if (!result.compiled.ok) return result;
  const std::string kept = absl::StrCat(libraries_.path(), "/", built_++ % kKeptLibraries, ".so");
  std::error_code error;
  std::filesystem::rename(result.compiled.binary, kept, error);
  if (error) return absl::UnavailableError(absl::StrCat(kept, ": ", error.message()));
  result.compiled.binary = kept;
  result.candidate.cpu.set_library(kept);
  return result;
}

absl::StatusOr<std::optional<BuildResult>> KernelTarget::BuildOriginal(const CompileLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(const EvaluatedConfiguration configuration, reader_.Default());
  TUNE_ASSIGN_OR_RETURN(const KernelText text, TextOfReference(setup_.kernel(), configuration));
  TUNE_ASSIGN_OR_RETURN(BuildResult result, BuildText(text, limits));
  return std::optional<BuildResult>(std::move(result));
}

std::string KernelTarget::BuildKey() const { return compiler_->CandidateKey(setup_.program()); }

absl::StatusOr<RunOutcome> KernelTarget::Run(const std::vector<BuiltCandidate>& candidates,
                                             const RunLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(const StudyArrays arrays, KernelArrays(setup_.kernel()));
  TUNE_ASSIGN_OR_RETURN(std::vector<v1::RunnerArray> checked,
                        RunnerArrays(arrays, reference_, /*compare_outputs=*/true));
  ApplyOutputChecks(setup_.kernel(), &checked);
  return RunOnHost(setup_, checked, candidates, limits, threads_, runner_);
}

v1::ProgramCheck KernelTarget::CheckProgram(const GeneratedProgram&, Cancellation*) {
  v1::ProgramCheck check;
  check.set_message("hand-written kernels come without a program that could be run");
  return check;
}

}  // namespace tune
