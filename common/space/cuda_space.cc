#include "common/space/cuda_space.h"

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
                        ScheduleSpace::Make(scop, parameter_values, limits, ReductionsOf(options),
                                            /*has_order=*/false, /*rounding=*/!options.exact));
  std::unique_ptr<CudaSpace> space(new CudaSpace(std::move(original), options));
  TUNE_RETURN_IF_ERROR(space->MakeForms(limits));
  return space;
}

absl::Status CudaSpace::MakeForms(const IslContext::Limits& limits) {
  const FormLimits form_limits = {options_.device, options_.max_expansion_bytes};
  for (const ScopTransformation* transformation : ScopTransformations()) {
    if (options_.exact && transformation->ReordersSums()) continue;
    ScheduleSpace& before = transformation->TakesOriginal() ? *original_ : LastWithoutOrder();
    const auto made = transformation->Make(before.context(), before.scop(), before.dependences(),
                                           before.parameter_values(), form_limits);
    if (absl::IsResourceExhausted(made.status())) continue;
    TUNE_RETURN_IF_ERROR(made.status());
    if (!made->has_value()) continue;
    auto space = ScheduleSpace::Make(**made, before.parameter_values(), limits, ReductionsOf(options_),
                                     transformation->HasOrder(), /*rounding=*/!options_.exact);
    if (absl::IsResourceExhausted(space.status())) continue;
    TUNE_RETURN_IF_ERROR(space.status());
    forms_.push_back({transformation, *std::move(space)});
  }
  return absl::OkStatus();
}

ScheduleSpace& CudaSpace::LastWithoutOrder() {
  for (auto form = forms_.rbegin(); form != forms_.rend(); ++form) {
    if (!form->transformation->HasOrder()) return *form->space;
  }
  return *original_;
}

absl::StatusOr<ScheduleSpace*> CudaSpace::ChooseScop(Chooser& chooser) {
  for (auto form = forms_.rbegin(); form != forms_.rend(); ++form) {
    TUNE_ASSIGN_OR_RETURN(const bool taken, form->transformation->Decide(chooser));
    if (taken) return form->space.get();
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
  const std::vector<Kernel>& kernels = plan.scheduled->kernels;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const int64_t beside = ThreadsBeside(kernels, i, options_.device, options_.exact);
    TUNE_ASSIGN_OR_RETURN(KernelPlan kernel_plan, DecideKernel(kernels[i], options_.device, options_.exact,
                                                               chooser, options_.tf32x3, beside));
    plan.kernels.push_back(std::move(kernel_plan));
  }
  TUNE_RETURN_IF_ERROR(DecideTogether(kernels, options_.device, chooser, &plan.kernels, &plan.together));
  return plan;
}

}  // namespace tune
