#include "common/space/cuda_space.h"

#include <algorithm>

#include "common/decision/simple_choices.h"
#include "common/expansion/expansion.h"
#include "common/expansion/index_split.h"
#include "common/transform/transformations.h"

namespace tune {
namespace {

// A sum that keeps its order is no kernel for several threads.
InnerReductions ReductionsOf(const CudaSpaceOptions& options) {
  return options.exact ? InnerReductions::kInKernels : InnerReductions::kAreKernels;
}

}  // namespace

absl::StatusOr<std::unique_ptr<CudaSpace>> CudaSpace::Make(
    const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values,
    const CudaSpaceOptions& options, const IslContext::Limits& limits) {
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<ScheduleSpace> original,
                        ScheduleSpace::Make(scop, parameter_values, limits, ReductionsOf(options)));
  std::unique_ptr<CudaSpace> space(new CudaSpace(std::move(original), options));
  TUNE_RETURN_IF_ERROR(space->Expand(limits));
  TUNE_RETURN_IF_ERROR(space->Split(limits));
  return space;
}

absl::Status CudaSpace::Expand(const IslContext::Limits& limits) {
  IslContext& context = original_->context();
  const auto& values = original_->parameter_values();
  const auto found = FindExpandable(context, original_->scop(), original_->dependences(), values);
  if (absl::IsResourceExhausted(found.status())) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(found.status());
  std::vector<Expandable> chosen;
  int64_t left = options_.max_expansion_bytes;
  for (const Expandable& expandable : *found) {
    if (expandable.bytes > std::min(kLargestExpansion, left)) continue;
    left -= expandable.bytes;
    chosen.push_back(expandable);
  }
  if (chosen.empty()) return absl::OkStatus();
  const auto scop = ExpandArrays(context, original_->scop(), original_->dependences(), chosen, values);
  if (absl::IsResourceExhausted(scop.status())) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(scop.status());
  auto space = ScheduleSpace::Make(*scop, values, limits, ReductionsOf(options_));
  if (absl::IsResourceExhausted(space.status())) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(expanded_, std::move(space));
  return absl::OkStatus();
}

absl::Status CudaSpace::Split(const IslContext::Limits& limits) {
  // A temporary that all iterations share would hold pieces in order as it does the whole.
  ScheduleSpace& whole = expanded_ != nullptr ? *expanded_ : *original_;
  const auto split = SplitIndexSets(whole.context(), whole.scop(), whole.dependences());
  if (absl::IsResourceExhausted(split.status())) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(split.status());
  if (!split->has_value()) return absl::OkStatus();
  auto space = ScheduleSpace::Make(**split, whole.parameter_values(), limits, ReductionsOf(options_));
  if (absl::IsResourceExhausted(space.status())) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(split_, std::move(space));
  return absl::OkStatus();
}

absl::StatusOr<ScheduleSpace*> CudaSpace::ChooseScop(Chooser& chooser) {
  if (split_ != nullptr) {
    TUNE_ASSIGN_OR_RETURN(const int whole, ChooseOption(chooser, "index_sets", {"split", "whole"}, 0));
    if (whole == 0) return split_.get();
  }
  if (expanded_ != nullptr) {
    TUNE_ASSIGN_OR_RETURN(const bool on, ChooseSwitch(chooser, "expansion", true));
    if (on) return expanded_.get();
  }
  return original_.get();
}

absl::StatusOr<CudaPlan> CudaSpace::Walk(Chooser& chooser, ScheduleLevel level) {
  CudaPlan plan;
  TUNE_ASSIGN_OR_RETURN(plan.schedules, ChooseScop(chooser));
  TUNE_ASSIGN_OR_RETURN(plan.scheduled, plan.schedules->Walk(chooser, level));
  return WalkKernels(std::move(plan), chooser);
}

absl::StatusOr<CudaPlan> CudaSpace::WalkWithSchedule(const std::string& tree, Chooser& chooser) {
  CudaPlan plan;
  TUNE_ASSIGN_OR_RETURN(plan.schedules, ChooseScop(chooser));
  TUNE_ASSIGN_OR_RETURN(plan.scheduled, plan.schedules->Read(tree));
  return WalkKernels(std::move(plan), chooser);
}

absl::StatusOr<CudaPlan> CudaSpace::WalkKernels(CudaPlan plan, Chooser& chooser) {
  for (const Kernel& kernel : plan.scheduled->kernels) {
    TUNE_ASSIGN_OR_RETURN(KernelPlan kernel_plan,
                          DecideKernel(kernel, options_.device, options_.exact, chooser));
    plan.kernels.push_back(std::move(kernel_plan));
  }
  TUNE_RETURN_IF_ERROR(
      DecideTogether(plan.scheduled->kernels, options_.device, chooser, &plan.kernels, &plan.together));
  return plan;
}

}  // namespace tune
