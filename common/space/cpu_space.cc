#include "common/space/cpu_space.h"

#include "common/space/cpu_kernel_walk.h"

namespace tune {
namespace {

// Whether the loops are the region's own. Configurations from before this decision have a schedule of isl's.
absl::StatusOr<bool> ChooseWritten(Chooser& chooser) {
  DecisionPoint point;
  point.key = "loops";
  point.options = {"written", "scheduled"};
  point.allowed = {true, true};
  point.unrecorded_option = 1;
  TUNE_ASSIGN_OR_RETURN(const int chosen, chooser.Choose(point));
  return chosen == 0;
}

}  // namespace

absl::StatusOr<std::unique_ptr<CpuSpace>> CpuSpace::Make(
    const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values,
    const CpuSpaceOptions& options, const IslContext::Limits& limits) {
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<ScheduleSpace> schedules,
                        ScheduleSpace::Make(scop, parameter_values, limits));
  return std::unique_ptr<CpuSpace>(new CpuSpace(std::move(schedules), options));
}

absl::StatusOr<CpuPlan> CpuSpace::Walk(Chooser& chooser, ScheduleLevel level) {
  CpuPlan plan;
  TUNE_ASSIGN_OR_RETURN(plan.written, ChooseWritten(chooser));
  if (plan.written) {
    TUNE_ASSIGN_OR_RETURN(plan.scheduled, schedules_->Written());
  } else {
    TUNE_ASSIGN_OR_RETURN(plan.scheduled, schedules_->Walk(chooser, level));
  }
  for (const Kernel& kernel : plan.scheduled->kernels) {
    TUNE_ASSIGN_OR_RETURN(CpuKernelPlan kernel_plan, WalkCpuKernel(kernel, plan.written, options_, chooser));
    plan.kernels.push_back(std::move(kernel_plan));
  }
  return plan;
}

}  // namespace tune
