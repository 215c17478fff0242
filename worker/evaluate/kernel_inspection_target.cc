#include "worker/evaluate/kernel_inspection_target.h"

#include <algorithm>

#include "common/evaluation/architecture.h"
#include "common/kernel_definition/argument_form.h"
#include "worker/evaluate/cuda_compilation.h"
#include "worker/kernels/device_library.h"
#include "worker/kernels/trip_notes.h"
#include "worker/ptx/ptx_reader.h"

namespace tune {
namespace {

// Of the kernel's parameters, in their order: whole numbers are known before the launch.
absl::StatusOr<std::vector<std::optional<int64_t>>> KnownParameters(
    const v1::KernelDefinition& definition, const std::string& kernel,
    const EvaluatedConfiguration& configuration) {
  TUNE_ASSIGN_OR_RETURN(const auto arguments, ArgumentsOf(definition, KernelNamed(definition, kernel)));
  std::vector<std::optional<int64_t>> known;
  for (const v1::KernelArgument* argument : arguments) {
    const auto value = configuration.scalars.find(argument->name());
    const bool is_whole = value != configuration.scalars.end() && value->second.IsWhole() &&
                          argument->type() != v1::NUMBER_FLOAT && argument->type() != v1::NUMBER_DOUBLE &&
                          argument->type() != v1::NUMBER_HALF;
    known.push_back(is_whole ? std::optional<int64_t>(value->second.whole()) : std::nullopt);
  }
  return known;
}

// `candidate` has the kernels' names in the cubin, parallel to the configuration's.
absl::StatusOr<std::vector<KernelLaunches>> LaunchesOf(const v1::KernelDefinition& definition,
                                                       const EvaluatedConfiguration& configuration,
                                                       const v1::CudaCandidate& candidate) {
  std::vector<KernelLaunches> all;
  for (const EvaluatedLaunch& launch : configuration.launches) {
    const auto kernel = std::find_if(configuration.kernels.begin(), configuration.kernels.end(),
                                     [&](const EvaluatedKernel& each) { return each.name == launch.kernel; });
    KernelLaunches& launches = all.emplace_back();
    launches.kernel = candidate.kernels(static_cast<int>(kernel - configuration.kernels.begin())).function();
    std::copy(launch.grid.begin(), launch.grid.end(), launches.launch.grid);
    std::copy(launch.block.begin(), launch.block.end(), launches.launch.block);
    TUNE_ASSIGN_OR_RETURN(launches.launch.parameters,
                          KnownParameters(definition, launch.kernel, configuration));
    launches.dynamic_shared_bytes = launch.shared_bytes;
    launches.count = static_cast<double>(launch.times);
  }
  return all;
}

}  // namespace

absl::StatusOr<std::unique_ptr<KernelInspectionTarget>> KernelInspectionTarget::Make(v1::StudySetup setup,
                                                                                     CubinCompiler* cubin,
                                                                                     Compiler* host,
                                                                                     BuildSlots* slots) {
  TUNE_ASSIGN_OR_RETURN(ConfigurationReader reader, ConfigurationReader::Make(setup.kernel()));
  return std::unique_ptr<KernelInspectionTarget>(
      new KernelInspectionTarget(std::move(setup), std::move(reader), cubin, host, slots));
}

KernelInspectionTarget::KernelInspectionTarget(v1::StudySetup setup, ConfigurationReader reader,
                                               CubinCompiler* cubin, Compiler* host, BuildSlots* slots)
    : setup_(std::move(setup)), reader_(std::move(reader)), cubin_(cubin), host_(host), slots_(slots) {}

absl::StatusOr<CompiledKernels> KernelInspectionTarget::Compile(const v1::Configuration& configuration,
                                                                const TaskControl& control) {
  control.Enter("compile");
  TUNE_ASSIGN_OR_RETURN(const EvaluatedConfiguration evaluated, reader_.Read(configuration));
  TUNE_RETURN_IF_ERROR(CheckLaunches(evaluated, setup_.device()));
  TUNE_ASSIGN_OR_RETURN(const DeviceText text,
                        PrintDeviceText(setup_.kernel(), setup_.kernel().file(), evaluated));
  const BuildSlots::Hold slot(slots_);
  const CompileLimits limits = CompileLimitsOf(setup_.limits(), control.cancellation);
  const CudaTools tools = {cubin_, host_, nullptr, nullptr};
  TUNE_ASSIGN_OR_RETURN(const DeviceBuild build,
                        BuildDeviceText(setup_, text, ArchitectureOf(setup_.device()), tools, limits));
  CompiledKernels kernels;
  TUNE_ASSIGN_OR_RETURN(kernels.cubin, BinaryOf(build.compiled, kLargestCubin));
  TUNE_ASSIGN_OR_RETURN(const NamedValues names, reader_.Names(configuration));
  TUNE_ASSIGN_OR_RETURN(kernels.trips, TripsOfSources(setup_.program(), names));
  TUNE_ASSIGN_OR_RETURN(const CompileResult ptx, CompileDeviceTextToPtx(setup_, text, tools, limits));
  TUNE_ASSIGN_OR_RETURN(kernels.ptx, BinaryOf(ptx, static_cast<int64_t>(kMostPtxBytes)));
  TUNE_ASSIGN_OR_RETURN(kernels.launches, LaunchesOf(setup_.kernel(), evaluated, build.candidate));
  return kernels;
}

}  // namespace tune
