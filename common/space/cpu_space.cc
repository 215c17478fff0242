#include "common/space/cpu_space.h"

#include <algorithm>

#include "common/decision/configuration.h"
#include "common/schedule/band_order.h"
#include "common/transform/packed_product/packed_product.h"
#include "common/transform/transformations.h"

namespace tune {
namespace {

// Loops around the parallel one, of each statement; where there is none, more than any.
std::map<std::string, int> SerialLoops(const ScheduledScop& scheduled) {
  constexpr int kMany = 1000;
  std::map<std::string, int> serial;
  for (const Kernel& kernel : scheduled.kernels) {
    bool parallel = false;
    if (!kernel.bands.empty()) {
      const std::vector<bool>& coincident = kernel.bands[0].coincident;
      parallel = std::find(coincident.begin(), coincident.end(), true) != coincident.end();
    }
    for (const std::string& name : kernel.statements) serial[name] = parallel ? kernel.host_depth : kMany;
  }
  return serial;
}

// Whether some statement has its parallel loop further inside in `after` than in `before`, or none.
bool LosesParallelLoops(const ScheduledScop& before, const ScheduledScop& after) {
  const std::map<std::string, int> serial = SerialLoops(after);
  for (const auto& [name, loops] : SerialLoops(before)) {
    const auto found = serial.find(name);
    if (found == serial.end() || found->second > loops) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<std::unique_ptr<CpuSpace>> CpuSpace::Make(
    const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values,
    const CpuSpaceOptions& options, const IslContext::Limits& limits) {
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<ScheduleSpace> schedules,
                        ScheduleSpace::Make(scop, parameter_values, limits));
  return std::unique_ptr<CpuSpace>(new CpuSpace(std::move(schedules), options));
}

// The region's own loops, unless a computed schedule has fewer accesses that jump from row to row and all its
// parallel loops as far outside.
bool CpuSpace::PrefersWritten() {
  if (prefers_written_) return *prefers_written_;
  prefers_written_ = true;
  DefaultChooser standard;
  const auto written = schedules_->Written();
  const auto scheduled = schedules_->Walk(standard);
  if (!written.ok() || !scheduled.ok()) return *prefers_written_;
  const auto own = CountStridedAccesses(context(), (*written)->tree, scop());
  const auto computed = CountStridedAccesses(context(), (*scheduled)->tree, scop());
  prefers_written_ =
      !own.ok() || !computed.ok() || *computed >= *own || LosesParallelLoops(**written, **scheduled);
  return *prefers_written_;
}

CpuSpace::Products CpuSpace::FindProducts() {
  Products products;
  const auto distributed = schedules_->Distributed();
  if (!distributed.ok()) return products;
  for (const Kernel& kernel : (*distributed)->kernels) {
    products.any = products.any || kernel.product;
    products.large = products.large || (kernel.product && IsLargeProduct(*kernel.product));
  }
  return products;
}

// Configurations from before this decision have a schedule of isl's.
absl::StatusOr<CpuSpace::Loops> CpuSpace::ChooseLoops(Chooser& chooser) {
  const Products products = FindProducts();
  DecisionPoint point;
  point.key = "loops";
  point.options = {"written", "scheduled", "distributed"};
  point.allowed = {true, true, products.any};
  point.default_option = products.large ? 2 : PrefersWritten() ? 0 : 1;
  point.unrecorded_option = 1;
  TUNE_ASSIGN_OR_RETURN(const int chosen, chooser.Choose(point));
  return static_cast<Loops>(chosen);
}

absl::StatusOr<CpuPlan> CpuSpace::Walk(Chooser& chooser, ScheduleLevel level) {
  CpuPlan plan;
  TUNE_ASSIGN_OR_RETURN(const Loops loops, ChooseLoops(chooser));
  plan.written = loops != Loops::kScheduled;
  if (loops == Loops::kWritten) {
    TUNE_ASSIGN_OR_RETURN(plan.scheduled, schedules_->Written());
  } else if (loops == Loops::kDistributed) {
    TUNE_ASSIGN_OR_RETURN(plan.scheduled, schedules_->Distributed());
  } else {
    TUNE_ASSIGN_OR_RETURN(plan.scheduled, schedules_->Walk(chooser, level));
  }
  for (const Kernel& kernel : plan.scheduled->kernels) {
    TUNE_ASSIGN_OR_RETURN(HostKernelPlan kernel_plan,
                          DecideHostKernel(kernel, options_.hardware_threads, plan.written, chooser));
    plan.kernels.push_back(std::move(kernel_plan));
  }
  return plan;
}

}  // namespace tune
