#include "worker/kernels/reference_program.h"

#include "common/evaluation/architecture.h"
#include "worker/kernels/device_library.h"
#include "worker/kernels/kernel_library.h"

namespace tune {
namespace {

RecordedProgram OnDevice(const v1::CudaCandidate& candidate, const v1::Limits& limits, DevicePool* devices,
                         Cancellation* cancellation) {
  return [=](const RecordedRun& run) {
    CudaRunRequest request;
    request.wall_seconds = limits.reference_seconds();
    request.cancellation = cancellation;
    *request.job.add_candidates() = candidate;
    *request.job.mutable_arrays() = {run.arrays.begin(), run.arrays.end()};
    request.job.set_record_folder(run.folder);
    request.job.set_only_record(run.only_record);
    request.job.set_run_seconds(limits.reference_seconds());
    return devices->Run(request);
  };
}

absl::Status DoesNotCompile(const v1::KernelDefinition& definition, const CompileResult& compiled,
                            std::string* log) {
  if (compiled.cancelled) return absl::CancelledError("cancelled");
  *log = absl::StrCat(compiled.command, "\n", compiled.log);
  return absl::InvalidArgumentError(
      absl::StrCat(ReferenceText(definition), " does not compile: ", compiled.message));
}

}  // namespace

std::string ReferenceText(const v1::KernelDefinition& definition) {
  const v1::KernelReference& reference = definition.reference();
  if (reference.has_host_function())
    return absl::StrCat("the reference function ", reference.host_function().name());
  if (reference.has_plain_kernel())
    return absl::StrCat("the reference kernel ", reference.plain_kernel().kernel().name());
  return "the default configuration";
}

absl::StatusOr<RecordedProgram> BuildReferenceProgram(const v1::StudySetup& setup,
                                                      const EvaluatedConfiguration& default_configuration,
                                                      const ReferenceTools& tools,
                                                      const ReferenceDevice* device,
                                                      const std::string& folder, std::string* log) {
  const v1::KernelDefinition& definition = setup.kernel();
  const CompileLimits limits = CompileLimitsOf(setup.limits(), tools.cancellation);
  if (definition.language() == v1::KERNEL_LANGUAGE_C || definition.reference().has_host_function()) {
    TUNE_ASSIGN_OR_RETURN(const KernelText text, TextOfReference(definition, default_configuration));
    TUNE_ASSIGN_OR_RETURN(const CompileResult compiled,
                          CompileKernels(setup, text, folder, tools.compiler, limits));
    if (!compiled.ok) return DoesNotCompile(definition, compiled, log);
    // 0 before the study is bound to a device.
    const int threads = setup.device().target() == v1::CPU ? setup.device().cores() : 0;
    return OnHost(compiled.binary, setup.limits(), tools, threads);
  }
  if (device == nullptr)
    return absl::FailedPreconditionError("this worker has no GPU, which kernels in CUDA run on");
  TUNE_RETURN_IF_ERROR(
      Annotate(CheckLaunches(default_configuration, device->device), ReferenceText(definition)));
  TUNE_ASSIGN_OR_RETURN(const DeviceText text, DeviceTextOfReference(setup, default_configuration));
  TUNE_ASSIGN_OR_RETURN(const DeviceBuild build,
                        BuildDeviceText(setup, text, ArchitectureOf(device->device), device->tools, limits));
  if (!build.compiled.ok) return DoesNotCompile(definition, build.compiled, log);
  return OnDevice(build.candidate, setup.limits(), device->tools.devices, tools.cancellation);
}

}  // namespace tune
