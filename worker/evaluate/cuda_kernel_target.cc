#include "worker/evaluate/cuda_kernel_target.h"

#include "absl/strings/str_join.h"
#include "common/base/fingerprint.h"
#include "common/evaluation/architecture.h"
#include "worker/evaluate/device_run.h"
#include "worker/kernels/device_library.h"
#include "worker/kernels/kernel_arrays.h"

namespace tune {

absl::StatusOr<std::unique_ptr<CudaKernelTarget>> CudaKernelTarget::Make(v1::StudySetup setup,
                                                                         ReferenceData reference,
                                                                         const CudaTools& tools) {
  TUNE_ASSIGN_OR_RETURN(ConfigurationReader reader, ConfigurationReader::Make(setup.kernel()));
  return std::unique_ptr<CudaKernelTarget>(
      new CudaKernelTarget(std::move(setup), std::move(reference), std::move(reader), tools));
}

CudaKernelTarget::CudaKernelTarget(v1::StudySetup setup, ReferenceData reference, ConfigurationReader reader,
                                   const CudaTools& tools)
    : setup_(std::move(setup)), reference_(std::move(reference)), reader_(std::move(reader)), tools_(tools) {}

absl::StatusOr<GeneratedProgram> CudaKernelTarget::Generate(const v1::Configuration& configuration) {
  GeneratedProgram generated;
  TUNE_ASSIGN_OR_RETURN(const EvaluatedConfiguration evaluated, reader_.Read(configuration));
  TUNE_RETURN_IF_ERROR(CheckLaunches(evaluated, setup_.device()));
  generated.code = PrintConfigurationHeader(evaluated);
  TUNE_ASSIGN_OR_RETURN(DeviceText text, PrintDeviceText(setup_.kernel(), setup_.kernel().file(), evaluated));
  for (const EvaluatedKernel& kernel : evaluated.kernels) {
    CudaKernelFacts& facts = generated.cuda.facts.emplace_back();
    facts.name = kernel.name;
  }
  std::string shared;
  for (const v1::CudaKernel& kernel : text.candidate.kernels())
    absl::StrAppend(&shared, kernel.dynamic_shared_bytes(), "\n");
  absl::StrAppend(&shared, text.candidate.graphics_clock_mhz(), "\n");
  generated.fingerprint =
      Fingerprint(absl::StrCat(absl::StrJoin(text.macros, "\n"), "\n", absl::StrJoin(text.kernels, "\n"),
                               "\n", shared, text.launches));
  generated.device_kernels = std::make_shared<const DeviceText>(std::move(text));
  return generated;
}

absl::StatusOr<std::vector<v1::Finding>> CudaKernelTarget::Diagnose(const v1::Configuration&,
                                                                    const GeneratedProgram&,
                                                                    const v1::Diagnosis&) {
  return absl::InvalidArgumentError(
      "hand-written kernels have neither a mapping nor stages that could be shown; replay without them");
}

absl::StatusOr<BuildResult> CudaKernelTarget::Build(const GeneratedProgram& program,
                                                    const CompileLimits& limits) {
  return BuildText(*program.device_kernels, limits);
}

absl::StatusOr<BuildResult> CudaKernelTarget::BuildText(const DeviceText& text, const CompileLimits& limits) {
  const BuildSlots::Hold slot(tools_.slots);
  TUNE_ASSIGN_OR_RETURN(DeviceBuild build,
                        BuildDeviceText(setup_, text, ArchitectureOf(setup_.device()), tools_, limits));
  BuildResult result;
  result.compiled = std::move(build.compiled);
  result.candidate.cuda = std::move(build.candidate);
  return result;
}

absl::StatusOr<std::optional<BuildResult>> CudaKernelTarget::BuildOriginal(const CompileLimits& limits) {
  if (setup_.kernel().reference().has_host_function()) return std::optional<BuildResult>();
  TUNE_ASSIGN_OR_RETURN(const EvaluatedConfiguration configuration, reader_.Default());
  TUNE_ASSIGN_OR_RETURN(const DeviceText text, DeviceTextOfReference(setup_, configuration));
  TUNE_ASSIGN_OR_RETURN(BuildResult result, BuildText(text, limits));
  return std::optional<BuildResult>(std::move(result));
}

std::string CudaKernelTarget::BuildKey() const {
  return Fingerprint(absl::StrCat(tools_.cubin->version(), "\n", ArchitectureOf(setup_.device())));
}

absl::StatusOr<RunOutcome> CudaKernelTarget::Run(const std::vector<BuiltCandidate>& candidates,
                                                 const RunLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(const StudyArrays arrays, KernelArrays(setup_.kernel()));
  TUNE_ASSIGN_OR_RETURN(std::vector<v1::RunnerArray> checked,
                        RunnerArrays(arrays, reference_, /*compare_outputs=*/true));
  ApplyOutputChecks(setup_.kernel(), &checked);
  return RunOnDevice(setup_, reference_, checked, candidates, limits, tools_.devices);
}

v1::ProgramCheck CudaKernelTarget::CheckProgram(const GeneratedProgram&, Cancellation*) {
  v1::ProgramCheck check;
  check.set_message("hand-written kernels come without a program that could be run");
  return check;
}

}  // namespace tune
