#include "worker/evaluate/shared_target.h"

#include "absl/strings/str_cat.h"
#include "common/base/cuda_toolkit.h"
#include "common/base/fingerprint.h"
#include "common/evaluation/architecture.h"
#include "common/space/shared_space.h"
#include "worker/evaluate/device_program.h"
#include "worker/evaluate/program_samples.h"
#include "worker/parts/parts_file.h"
#include "worker/parts/shared_generator.h"

namespace tune {

absl::Status CheckSharedTools(const v1::StudySetup& setup) {
  if (!setup.program().has_main())
    return absl::FailedPreconditionError(
        "a study of the target cpu+cuda runs its candidates in the user's program, and the file has no main: "
        "submit it with the file that has one (--with FILE)");
  return Annotate(FindNvcc().status(), "the target cpu+cuda needs nvcc on the worker");
}

absl::StatusOr<std::unique_ptr<SharedTarget>> SharedTarget::Make(const v1::StudySetup& setup,
                                                                 const ReferenceData& reference,
                                                                 const CudaTools& tools, int threads) {
  TUNE_RETURN_IF_ERROR(CheckSharedTools(setup));
  TUNE_ASSIGN_OR_RETURN(std::string nvcc, FindNvcc());
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<CodeGenerator> generator,
                        MakeSharedGenerator(setup.scop(), reference.reference, setup.device().model(),
                                            setup.rounding() == v1::ROUNDING_EXACT));
  return std::unique_ptr<SharedTarget>(
      new SharedTarget(setup, reference, std::move(generator), tools, std::move(nvcc), threads));
}

SharedTarget::SharedTarget(v1::StudySetup setup, ReferenceData reference,
                           std::unique_ptr<CodeGenerator> generator, const CudaTools& tools, std::string nvcc,
                           int threads)
    : setup_(std::move(setup)),
      reference_(std::move(reference)),
      generator_(std::move(generator)),
      tools_(tools),
      nvcc_(std::move(nvcc)),
      threads_(threads) {}

absl::StatusOr<GeneratedProgram> SharedTarget::Generate(const v1::Configuration& configuration) {
  return generator_->Generate(configuration);
}

absl::StatusOr<std::vector<v1::Finding>> SharedTarget::Diagnose(const v1::Configuration& configuration,
                                                                const GeneratedProgram&,
                                                                const v1::Diagnosis& diagnosis) {
  return generator_->Diagnose(configuration, diagnosis);
}

std::string SharedTarget::BuildKey() const {
  return Fingerprint(absl::StrCat(nvcc_, "\n", ArchitectureOf(setup_.device()), "\n",
                                  tools_.host->CandidateKey(setup_.program()),
                                  setup_.rounding() == v1::ROUNDING_EXACT ? "\nexact" : ""));
}

absl::StatusOr<TunedProgram> SharedTarget::ProgramOf(const GeneratedProgram& program,
                                                     const std::string& object) const {
  TUNE_ASSIGN_OR_RETURN(TunedProgram tuned, ProgramWithDevice(nvcc_, program.code, object));
  tuned.compile_flags = {"-fopenmp"};
  tuned.threads = threads_;
  tuned.falls_back = RunsOriginal(program.device_file);
  tuned.failure_mark = kDevicePartsOnHost;
  return tuned;
}

absl::StatusOr<BuildResult> SharedTarget::Build(const GeneratedProgram& program,
                                                const CompileLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  BuildResult result;
  TUNE_ASSIGN_OR_RETURN(result.compiled,
                        CompileDeviceFile(nvcc_, program.device_file, setup_, folder.path(), limits));
  if (!result.compiled.ok) return result;
  const std::string name = absl::StrCat(built_++);
  TUNE_ASSIGN_OR_RETURN(programs_[name], ProgramOf(program, result.compiled.binary));
  result.candidate.cpu.set_library(name);
  return result;
}

absl::StatusOr<std::optional<BuildResult>> SharedTarget::BuildOriginal(const CompileLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(const GeneratedProgram original, Generate(SharedSeeds().front()));
  TUNE_ASSIGN_OR_RETURN(BuildResult result, Build(original, limits));
  return std::optional<BuildResult>(std::move(result));
}

absl::StatusOr<RunOutcome> SharedTarget::Run(const std::vector<BuiltCandidate>& candidates,
                                             const RunLimits& limits) {
  std::vector<TunedProgram> programs;
  for (const BuiltCandidate& candidate : candidates) {
    const auto found = programs_.find(candidate.cpu.library());
    if (found == programs_.end()) return absl::InternalError("a candidate that was not built");
    programs.push_back(std::move(found->second));
    programs_.erase(found);
  }
  RunOutcome outcome;
  const ReferenceTools tools = {tools_.host, nullptr, limits.cancellation};
  const bool done = tools_.devices->WithDevice(limits.cancellation, [&](int ordinal) {
    for (TunedProgram& program : programs) program.prepare = StartDevice(ordinal);
    outcome.device = absl::StrCat("cuda:", ordinal);
    outcome.verdicts = SamplePrograms(setup_, tools, reference_, programs, limits, &outcome.log);
  });
  if (!done) return absl::CancelledError("cancelled");
  return outcome;
}

v1::ProgramCheck SharedTarget::CheckProgram(const GeneratedProgram& program, Cancellation* cancellation) {
  const absl::StatusOr<BuildResult> built = Build(program, CompileLimitsOf(setup_.limits(), cancellation));
  if (!built.ok()) return NotRun(v1::OUTCOME_UNSPECIFIED, built.status().message());
  if (!built->compiled.ok) return NotRun(v1::COMPILE, absl::StrCat("nvcc: ", built->compiled.message));
  TunedProgram tuned = std::move(programs_[built->candidate.cpu.library()]);
  programs_.erase(built->candidate.cpu.library());
  return CheckOnDevice(setup_, tools_, reference_, std::move(tuned), cancellation);
}

}  // namespace tune
