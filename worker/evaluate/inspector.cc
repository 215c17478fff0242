#include "worker/evaluate/inspector.h"

#include "common/base/plain_text.h"
#include "common/space/cuda_device_options.h"

namespace tune {
namespace {

v1::InspectedKernel ToMessage(const KernelAnalysis& analysis) {
  const KernelMetrics& metrics = analysis.metrics;
  v1::InspectedKernel kernel;
  kernel.set_function(metrics.kernel);
  kernel.set_instructions(metrics.instructions);
  kernel.set_regions(metrics.regions);
  kernel.set_threads(metrics.threads);
  kernel.set_launches(metrics.launches);
  kernel.set_warps_per_block(metrics.warps_per_block);
  kernel.set_blocks_per_multiprocessor(metrics.blocks_per_multiprocessor);
  kernel.set_loaded_bytes(metrics.loaded_bytes);
  kernel.set_stored_bytes(metrics.stored_bytes);
  kernel.set_moved_bytes(metrics.moved_bytes);
  kernel.set_global_accesses(metrics.global_accesses);
  kernel.set_uncoalesced_accesses(metrics.uncoalesced_accesses);
  kernel.set_unknown_accesses(metrics.unknown_accesses);
  kernel.set_sure(analysis.IsSure());
  return kernel;
}

bool IsOfConfiguration(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsAborted(status);
}

}  // namespace

Inspector::Inspector(const v1::StudySetup& setup, std::unique_ptr<InspectionTarget> target)
    : device_(FactsOf(setup.device())), target_(std::move(target)) {}

v1::Inspection Inspector::Inspect(const v1::InspectTask& task, const TaskControl& control) {
  v1::Inspection inspection;
  const absl::StatusOr<CompiledKernels> compiled = target_->Compile(task.configuration(), control);
  if (!compiled.ok()) {
    const std::string reason = EscapeLine(compiled.status().message());
    IsOfConfiguration(compiled.status()) ? inspection.set_failure(reason) : inspection.set_unknown(reason);
    return inspection;
  }
  control.Enter("inspect");
  const absl::StatusOr<std::vector<KernelAnalysis>> analyses = AnalyseKernels(*compiled, device_);
  if (!analyses.ok()) {
    inspection.set_unknown(EscapeLine(analyses.status().message()));
    return inspection;
  }
  for (const KernelAnalysis& analysis : *analyses) *inspection.add_kernels() = ToMessage(analysis);
  return inspection;
}

}  // namespace tune
