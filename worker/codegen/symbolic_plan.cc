#include "worker/codegen/symbolic_plan.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "common/isl/dimensions.h"
#include "common/isl/value.h"
#include "common/kernel/trip_count.h"
#include "common/mapping/block_of_kernel.h"
#include "common/scop/parameter_bounds.h"
#include "common/scop/parameter_product.h"
#include "common/transform/float_products.h"
#include "common/transform/transformations.h"
#include "common/work/point_count.h"

namespace tune {
namespace {

// Defaults, but for what joins launches that may have many blocks. Keeps what was chosen.
class SymbolicChooser : public Chooser {
 public:
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    TUNE_ASSIGN_OR_RETURN(const int option, Option(point));
    absl::StrAppend(&decisions_, point.key, "=", point.options[option], " ");
    return option;
  }

  const std::string& decisions() const { return decisions_; }

 private:
  static absl::StatusOr<int> Option(const DecisionPoint& point) {
    if (point.key == "launches" && point.options[point.default_option] != "one_block")
      return OptionNamed(point, "separate");
    if (point.key == "inner_launches") return OptionNamed(point, "apart");
    return point.default_option;
  }

  static absl::StatusOr<int> OptionNamed(const DecisionPoint& point, const std::string& wanted) {
    const auto option = std::find(point.options.begin(), point.options.end(), wanted);
    if (option != point.options.end()) return static_cast<int>(option - point.options.begin());
    return absl::InternalError(absl::StrCat(point.key, " has no option ", wanted));
  }

  std::string decisions_;
};

// Of a band that no loop is around: members that are coincident and repeat share out less than their trip
// counts tell where iterations are, say, a triangle. They then have as many as in a box of as many
// iterations.
void CountAsBox(const isl::schedule_node_band& band, const isl::set& values, KernelBand* known) {
  std::vector<int> members;
  double box = 1;
  for (int m = 0; m < known->member_count(); ++m) {
    if (!known->coincident[m] || !Repeats(known->trip_counts[m])) continue;
    members.push_back(m);
    box *= static_cast<double>(known->trip_counts[m]);
  }
  if (known->depth > 0 || members.size() < 2) return;
  isl::set times = TimesOfBand(band, values);  // { [members] }
  if (times.is_null()) return;
  for (int m = known->member_count(); m-- > 0;)
    if (std::count(members.begin(), members.end(), m) == 0) times = ProjectOut(times, isl_dim_set, m, 1);
  const double filled = ToDouble(CountPoints(times.coalesce())) / box;
  if (!(filled < 1)) return;
  for (const int m : members) {
    int64_t& count = known->trip_counts[m];
    const double side =
        static_cast<double>(count) * std::pow(filled, 1. / static_cast<double>(members.size()));
    count = std::max<int64_t>(2, std::llround(side));
  }
}

// With the trip counts that loops have at these values of parameters in place of the largest that are
// possible. Loops that run once at any values stay such loops, others repeat.
std::shared_ptr<const ScheduledScop> WithTripCounts(const ScheduledScop& scheduled, const isl::set& values) {
  auto changed = std::make_shared<ScheduledScop>(scheduled);
  for (Kernel& kernel : changed->kernels) {
    size_t band = 0;  // of KernelBand: pre-order
    FindKernel(changed->tree, kernel.name).foreach_descendant_top_down([&](const isl::schedule_node& node) {
      if (!node.isa<isl::schedule_node_band>()) return true;
      const std::vector<int64_t> counts = TripCounts(node.as<isl::schedule_node_band>(), values);
      KernelBand& of_kernel = kernel.bands.at(band++);
      std::vector<int64_t>& known = of_kernel.trip_counts;
      for (size_t m = 0; m < known.size(); ++m)
        if (Repeats(known[m])) known[m] = std::max<int64_t>(2, counts[m]);
      if (band == 1) CountAsBox(node.as<isl::schedule_node_band>(), values, &of_kernel);
      return true;
    });
  }
  return changed;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const SymbolicPlans>> SymbolicPlans::Make(const v1::Scop& scop,
                                                                         const CudaSpaceOptions& options,
                                                                         int64_t most, const ScopForm& form) {
  const v1::Scop computed = options.exact ? scop : WithFloatProducts(scop);
  std::shared_ptr<SymbolicPlans> made(new SymbolicPlans(
      WithParametersUpTo(WithLargeParameters(computed, scop.parameters_size() - form.further), most),
      options));
  const InnerReductions reductions =
      options.exact ? InnerReductions::kInKernels : InnerReductions::kAreKernels;
  TUNE_ASSIGN_OR_RETURN(made->schedules_,
                        ScheduleSpace::Make(made->bounded_, {}, IslContext::Limits(), reductions,
                                            form.has_order, /*rounding=*/!options.exact));
  SymbolicChooser chooser;
  TUNE_ASSIGN_OR_RETURN(made->scheduled_, made->schedules_->Walk(chooser, options.level));
  return made;
}

absl::StatusOr<bool> SymbolicPlans::Allows(const SizeValues& values) const {
  return context().Run("values of parameters", [&]() -> absl::StatusOr<bool> {
    return !scop().context.intersect(ParameterValues(context(), values)).is_empty();
  });
}

absl::StatusOr<SizeValues> SymbolicPlans::Complete(SizeValues values) const {
  TUNE_ASSIGN_OR_RETURN(bool may_be, Allows(values));
  if (!may_be) {
    SizeValues possible;
    for (const auto& [name, value] : values) {
      TUNE_ASSIGN_OR_RETURN(const bool alone, Allows({{name, value}}));
      if (alone) possible[name] = value;
    }
    values = std::move(possible);
  }
  TUNE_RETURN_IF_ERROR(AddProducts(bounded_, &values));
  TUNE_ASSIGN_OR_RETURN(may_be, Allows(values));
  if (may_be) return values;
  return absl::InvalidArgumentError("the parameters cannot all be so");
}

absl::StatusOr<CudaPlan> SymbolicPlans::Decide(const SizeValues& values, std::string* decisions) const {
  CudaPlan plan;
  plan.schedules = schedules_.get();
  TUNE_RETURN_IF_ERROR(context().Run("typical loops", [&]() -> absl::Status {
    plan.scheduled = WithTripCounts(*scheduled_, ParameterValues(context(), values));
    return absl::OkStatus();
  }));
  SymbolicChooser chooser;
  // Kernels are not told of the threads of those beside them (KernelSite::threads_beside), which blocks would
  // have as well: from some hundred sums on that changes nothing, and fewer are slower then (H200, mvt of 121
  // and 178 floats: 13.1 and 14.0 us so, 9.4 and 9.9 otherwise).
  for (const Kernel& kernel : plan.scheduled->kernels) {
    TUNE_ASSIGN_OR_RETURN(KernelPlan decided, DecideKernel(kernel, options_.device, options_.exact, chooser));
    plan.kernels.push_back(std::move(decided));
  }
  TUNE_RETURN_IF_ERROR(
      DecideTogether(plan.scheduled->kernels, options_.device, chooser, &plan.kernels, &plan.together));
  *decisions = chooser.decisions();
  return plan;
}

absl::StatusOr<CudaPlan> SymbolicPlans::PlanAt(const SizeValues& values) const {
  std::string decisions;
  return Decide(values, &decisions);
}

absl::StatusOr<DefaultsAtSizes> SymbolicPlans::DefaultsAt(const SizeValues& values) const {
  DefaultsAtSizes defaults;
  TUNE_ASSIGN_OR_RETURN(const CudaPlan plan, Decide(values, &defaults.decisions));
  for (const Kernel& kernel : plan.scheduled->kernels) {
    double& product = defaults.iterations.emplace(kernel.name, 1).first->second;
    if (kernel.bands.empty()) continue;
    for (const int64_t count : kernel.bands[0].trip_counts)
      product *= static_cast<double>(std::max<int64_t>(1, count));
  }
  return defaults;
}

}  // namespace tune
