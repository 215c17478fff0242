#include "worker/evaluate/cpu_target.h"

#include "worker/evaluate/host_run.h"
#include "worker/print/region_function.h"
#include "worker/reference/original_region.h"
#include "worker/reference/tuned_program.h"

namespace tune {
CpuTarget::CpuTarget(v1::StudySetup setup, ReferenceData reference, std::unique_ptr<CodeGenerator> generator,
                     Compiler* compiler, Runner* runner, int threads)
    : setup_(std::move(setup)),
      reference_(std::move(reference)),
      generator_(std::move(generator)),
      compiler_(compiler),
      runner_(runner),
      threads_(threads) {}

absl::StatusOr<GeneratedProgram> CpuTarget::Generate(const v1::Configuration& configuration) {
  return generator_->Generate(configuration);
}

absl::StatusOr<std::vector<v1::Finding>> CpuTarget::Diagnose(const v1::Configuration& configuration,
                                                             const GeneratedProgram&,
                                                             const v1::Diagnosis& diagnosis) {
  return generator_->Diagnose(configuration, diagnosis);
}

absl::StatusOr<BuildResult> CpuTarget::Build(const GeneratedProgram& program, const CompileLimits& limits) {
  BuildResult result;
  const absl::StatusOr<std::string> source =
      PrintRegionFunction(setup_.scop(), reference_.reference, program.code);
  if (!source.ok()) {
    result.compiled.message = std::string(source.status().message());
    return result;
  }
  TUNE_ASSIGN_OR_RETURN(result.compiled, compiler_->CompileCandidate(*source, setup_.program(), limits));
  result.candidate.cpu.set_library(result.compiled.binary);
  return result;
}

absl::StatusOr<std::optional<BuildResult>> CpuTarget::BuildOriginal(const CompileLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  original_.emplace(std::move(folder));
  BuildResult result;
  TUNE_ASSIGN_OR_RETURN(result.compiled, CompileOriginalRegion(setup_, reference_.reference, compiler_,
                                                               original_->path() + "/program", limits));
  result.candidate.cpu.set_library(result.compiled.binary);
  if (result.compiled.ok || result.compiled.cancelled) return std::optional<BuildResult>(std::move(result));
  TUNE_ASSIGN_OR_RETURN(const GeneratedProgram extracted,
                        GenerateSequential(setup_.scop(), reference_.reference));
  TUNE_ASSIGN_OR_RETURN(result, Build(extracted, limits));
  return std::optional<BuildResult>(std::move(result));
}

std::string CpuTarget::BuildKey() const { return compiler_->CandidateKey(setup_.program()); }

absl::StatusOr<RunOutcome> CpuTarget::Run(const std::vector<BuiltCandidate>& candidates,
                                          const RunLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::RunnerArray> arrays,
                        RunnerArrays(setup_.scop().arrays(), reference_, /*compare_outputs=*/true));
  return RunOnHost(setup_, arrays, candidates, limits, threads_, runner_);
}

v1::ProgramCheck CpuTarget::CheckProgram(const GeneratedProgram& program, Cancellation* cancellation) {
  TunedProgram tuned;
  tuned.code = program.code;
  tuned.compile_flags = {"-fopenmp"};
  tuned.threads = threads_;
  return CheckTunedProgram(setup_, {compiler_, runner_, cancellation}, reference_, tuned);
}

}  // namespace tune
