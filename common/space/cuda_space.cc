#include "common/space/cuda_space.h"

#include <utility>

#include "common/transform/float_products.h"
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
                        ScheduleSpace::Make(options.exact ? scop : WithFloatProducts(scop), parameter_values,
                                            limits, ReductionsOf(options), /*has_order=*/false,
                                            /*rounding=*/!options.exact));
  return std::unique_ptr<CudaSpace>(new CudaSpace(std::move(original), options, limits));
}

CudaSpace::CudaSpace(std::unique_ptr<ScheduleSpace> original, const CudaSpaceOptions& options,
                     const IslContext::Limits& limits)
    : original_(std::move(original)), options_(options), limits_(limits) {
  for (const ScopTransformation* transformation : ScopTransformations()) {
    if (!options_.exact || !transformation->ReordersSums()) forms_.push_back({transformation});
  }
}

absl::StatusOr<ScheduleSpace*> CudaSpace::FormAt(size_t number) {
  if (!forms_[number].made) {
    auto space = MakeForm(number);
    if (absl::IsResourceExhausted(space.status())) space = nullptr;
    TUNE_ASSIGN_OR_RETURN(forms_[number].space, std::move(space));
    forms_[number].made = true;
  }
  return forms_[number].space.get();
}

absl::Status CudaSpace::Look(size_t number) {
  Form& form = forms_[number];
  if (form.looked) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(const bool gives_way, GivesWay(number));
  if (gives_way) {
    form.looked = true;
    return absl::OkStatus();
  }
  ScheduleSpace* before = original_.get();
  if (!form.transformation->TakesOriginal()) {
    TUNE_ASSIGN_OR_RETURN(before, LastWithoutOrder(number));
  }
  const FormLimits limits = {options_.device, options_.max_expansion_bytes};
  auto scop = form.transformation->Make(before->analysed(), before->parameter_values(), limits);
  if (absl::IsResourceExhausted(scop.status())) scop = std::nullopt;
  TUNE_ASSIGN_OR_RETURN(form.scop, std::move(scop));
  form.found = form.scop.has_value();
  if (form.found) {
    auto standard = form.transformation->IsStandard(before->analysed(), before->parameter_values(), limits);
    if (absl::IsResourceExhausted(standard.status())) standard = false;
    TUNE_ASSIGN_OR_RETURN(form.standard, std::move(standard));
  }
  form.looked = true;
  return absl::OkStatus();
}

absl::StatusOr<bool> CudaSpace::GivesWay(size_t number) {
  const ScopTransformation* const other = forms_[number].transformation->GivesWayTo();
  for (size_t i = 0; other != nullptr && i < forms_.size(); ++i) {
    if (forms_[i].transformation == other) return IsThere(i);
  }
  return false;
}

absl::StatusOr<std::unique_ptr<ScheduleSpace>> CudaSpace::MakeForm(size_t number) {
  TUNE_RETURN_IF_ERROR(Look(number));
  const std::optional<v1::Scop> made = std::exchange(forms_[number].scop, std::nullopt);
  if (!made) return nullptr;
  return ScheduleSpace::Make(*made, original_->parameter_values(), limits_, ReductionsOf(options_),
                             forms_[number].transformation->HasOrder(), /*rounding=*/!options_.exact);
}

absl::StatusOr<bool> CudaSpace::IsThere(size_t number) {
  if (forms_[number].transformation->IsAnalysedLate()) {
    TUNE_RETURN_IF_ERROR(Look(number));
    return forms_[number].found;
  }
  TUNE_ASSIGN_OR_RETURN(const ScheduleSpace* const space, FormAt(number));
  return space != nullptr;
}

CudaSpace::Work CudaSpace::work() const {
  Work work = {0, original_->analysed().computed()};
  for (const Form& form : forms_) {
    if (form.space == nullptr) continue;
    ++work.forms;
    work.schedules += form.space->analysed().computed();
  }
  return work;
}

absl::StatusOr<ScheduleSpace*> CudaSpace::LastWithoutOrder(size_t number) {
  while (number-- > 0) {
    if (forms_[number].transformation->HasOrder()) continue;
    TUNE_ASSIGN_OR_RETURN(ScheduleSpace * form, FormAt(number));
    if (form != nullptr) return form;
  }
  return original_.get();
}

absl::StatusOr<ScheduleSpace*> CudaSpace::ChooseScop(Chooser& chooser) {
  for (size_t number = forms_.size(); number-- > 0;) {
    TUNE_ASSIGN_OR_RETURN(const bool there, IsThere(number));
    if (!there) continue;
    TUNE_ASSIGN_OR_RETURN(const bool taken,
                          forms_[number].transformation->Decide(chooser, forms_[number].standard));
    if (!taken) continue;
    TUNE_ASSIGN_OR_RETURN(ScheduleSpace * form, FormAt(number));
    if (form == nullptr) continue;
    // Of an order that is given nothing is asked.
    const bool is_late = forms_[number].transformation->IsAnalysedLate();
    if (is_late && absl::IsResourceExhausted(form->Walk(chooser, ScheduleLevel::kO1).status())) continue;
    return form;
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
                                                               chooser, options_.products, beside));
    plan.kernels.push_back(std::move(kernel_plan));
  }
  TUNE_RETURN_IF_ERROR(DecideTogether(kernels, options_.device, chooser, &plan.kernels, &plan.together));
  return plan;
}

}  // namespace tune
