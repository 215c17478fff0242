#include "worker/evaluate/evaluator_factory.h"

#include <algorithm>
#include <optional>

#include "common/evaluation/generator.h"
#include "common/space/cuda_device_options.h"
#include "worker/codegen/code_generator.h"
#include "worker/evaluate/cpu_target.h"
#include "worker/evaluate/cuda_inspection_target.h"
#include "worker/evaluate/cuda_kernel_target.h"
#include "worker/evaluate/kernel_inspection_target.h"
#include "worker/evaluate/kernel_target.h"
#include "worker/evaluate/shared_target.h"
#include "worker/kernels/kernel_reference.h"
#include "worker/ppcg/ppcg_code_generator.h"

namespace tune {
namespace {

// Of the study's generator.
absl::StatusOr<GeneratorPool::Factory> CudaGeneratorFactory(const v1::StudySetup& setup,
                                                            const v1::Reference& reference,
                                                            const EvaluatorTools& tools) {
  if (setup.generator() != kPpcgGenerator) {
    return [scop = setup.scop(), reference, space = CudaOptionsOf(setup.device(), setup.rounding())] {
      return MakeCudaGenerator(scop, reference, space);
    };
  }
  if (tools.ppcg == nullptr) return NoPpcg(tools.worker);
  return [ppcg = *tools.ppcg, scop = setup.scop(), reference,
          of_ppcg = PpcgOptionsFor(setup, /*cancellation=*/nullptr)] {
    return MakePpcgCodeGenerator(ppcg, scop, reference, of_ppcg);
  };
}

// Each generator computes the study's schedules for itself, so fewer than there are slots.
int GeneratorsFor(const EvaluatorTools& tools) { return (tools.slots + 1) / 2; }

absl::StatusOr<std::unique_ptr<EvaluationTarget>> MakeCudaTarget(const v1::StudySetup& setup,
                                                                 const ReferenceData& reference,
                                                                 const EvaluatorTools& tools) {
  for (const CudaDeviceGroup& group : tools.devices) {
    if (tools.cubin == nullptr || group.device.model() != setup.device().model()) continue;
    const CudaTools cuda = {tools.cubin, tools.compiler, group.pool, tools.builds};
    if (setup.has_kernel()) {
      group.pool->Prepare();
      return CudaKernelTarget::Make(setup, reference, cuda);
    }
    if (setup.generator() == kSharedGenerator)
      return SharedTarget::Make(setup, reference, cuda, tools.host_threads);
    TUNE_ASSIGN_OR_RETURN(const GeneratorPool::Factory make,
                          CudaGeneratorFactory(setup, reference.reference, tools));
    group.pool->Prepare();
    return std::make_unique<CudaTarget>(setup, reference, make, GeneratorsFor(tools), cuda);
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "worker ", tools.worker, " has no device '", setup.device().model(), "', to which the study is bound"));
}

absl::StatusOr<std::unique_ptr<EvaluationTarget>> MakeTarget(const v1::StudySetup& setup,
                                                             const ReferenceData& reference,
                                                             const EvaluatorTools& tools) {
  if (setup.target() == v1::CUDA) return MakeCudaTarget(setup, reference, tools);
  // Those of the device that the study is bound to, whose space the server searches: this worker may have
  // been given another number.
  const int threads = std::max(1, setup.device().cores());
  if (setup.has_kernel()) return KernelTarget::Make(setup, reference, tools.compiler, tools.runner, threads);
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<CodeGenerator> generator,
                        MakeOpenMpGenerator(setup.scop(), reference.reference, threads));
  return std::make_unique<CpuTarget>(setup, reference, std::move(generator), tools.compiler, tools.runner,
                                     threads);
}

}  // namespace

EvaluatorFactory PipelineEvaluatorFactory(const EvaluatorTools& tools) {
  return [tools](const v1::StudySetup& setup,
                 const ReferenceData& reference) -> absl::StatusOr<std::unique_ptr<Evaluator>> {
    TUNE_ASSIGN_OR_RETURN(std::unique_ptr<EvaluationTarget> target, MakeTarget(setup, reference, tools));
    return std::make_unique<PipelineEvaluator>(setup, std::move(target), tools.worker);
  };
}

ReferenceRun ReferenceRunOf(const v1::StudySetup& setup, const EvaluatorTools& tools) {
  if (!setup.has_kernel()) return RunReference;
  std::optional<ReferenceDevice> device;
  for (const CudaDeviceGroup& group : tools.devices) {
    // Before the study is bound it is any that the worker has.
    if (setup.has_device() && group.device.model() != setup.device().model()) continue;
    device = {group.device, {tools.cubin, tools.compiler, group.pool, tools.builds}};
    break;
  }
  return [device](const v1::StudySetup& study, const ReferenceTools& reference, const std::string& folder,
                  std::string* log) {
    return RunKernelReference(study, reference, device.has_value() ? &*device : nullptr, folder, log);
  };
}

InspectorFactory CudaInspectorFactory(const EvaluatorTools& tools) {
  return [tools](const v1::StudySetup& setup) -> absl::StatusOr<std::unique_ptr<Inspector>> {
    if (setup.target() != v1::CUDA)
      return absl::InvalidArgumentError("what is inspected is code for GPUs; the study has none");
    if (tools.cubin == nullptr)
      return absl::FailedPreconditionError(
          absl::StrCat("worker ", tools.worker, " has no compiler for GPUs"));
    if (setup.has_kernel()) {
      TUNE_ASSIGN_OR_RETURN(auto target,
                            KernelInspectionTarget::Make(setup, tools.cubin, tools.compiler, tools.builds));
      return std::make_unique<Inspector>(setup, std::move(target));
    }
    TUNE_ASSIGN_OR_RETURN(const GeneratorPool::Factory make,
                          CudaGeneratorFactory(setup, setup.reference(), tools));
    return std::make_unique<Inspector>(
        setup, std::make_unique<CudaInspectionTarget>(setup, make, GeneratorsFor(tools), tools.cubin,
                                                      tools.compiler, tools.builds));
  };
}

absl::Status NoPpcg(const std::string& worker) {
  return absl::FailedPreconditionError(
      absl::StrCat("worker ", worker, " has no ppcg, which is the study's generator"));
}

PpcgOptions PpcgOptionsFor(const v1::StudySetup& setup, Cancellation* cancellation) {
  PpcgOptions options;
  options.limits.wall = absl::Seconds(setup.limits().compile_seconds());
  options.limits.memory_bytes = setup.limits().memory_bytes();
  options.limits.cancellation = cancellation;
  options.space = PpcgOptionsOf(setup.device());
  return options;
}

}  // namespace tune
