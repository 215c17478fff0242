#include "worker/codegen/symbolic_plan.h"

#include <algorithm>
#include <stdexcept>

#include "common/kernel/trip_count.h"
#include "common/mapping/block_of_kernel.h"
#include "common/scop/parameter_bounds.h"
#include "common/scop/parameter_product.h"
#include "common/transform/transformations.h"

namespace tune {
namespace {

// Defaults, but for what joins launches.
class LaunchesApart : public Chooser {
 public:
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    static const std::map<std::string, std::string> apart = {
        {"launches", "separate"}, {"inner_launches", "apart"}, {"independent_launches", "apart"}};
    const auto wanted = apart.find(point.key);
    if (wanted == apart.end()) return point.default_option;
    const auto option = std::find(point.options.begin(), point.options.end(), wanted->second);
    if (option != point.options.end()) return static_cast<int>(option - point.options.begin());
    return absl::InternalError(absl::StrCat(point.key, " has no option ", wanted->second));
  }
};

// Without parameters of which the context demands another value.
absl::StatusOr<std::map<std::string, int64_t>> TypicalValues(const v1::Scop& scop, int64_t typical) {
  std::map<std::string, int64_t> values;
  for (const v1::Parameter& parameter : scop.parameters()) {
    if (!parameter.factors().empty()) continue;
    TUNE_ASSIGN_OR_RETURN(const bool may_be, ContextAllows(scop, {{parameter.name(), typical}}));
    if (may_be) values[parameter.name()] = typical;
  }
  TUNE_RETURN_IF_ERROR(AddProducts(scop, &values));
  TUNE_ASSIGN_OR_RETURN(const bool may_be, ContextAllows(scop, values));
  if (may_be) return values;
  return absl::InvalidArgumentError(absl::StrCat("parameters cannot all be ", typical));
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
      std::vector<int64_t>& known = kernel.bands.at(band++).trip_counts;
      for (size_t m = 0; m < known.size(); ++m)
        if (Repeats(known[m])) known[m] = std::max<int64_t>(2, counts[m]);
      return true;
    });
  }
  return changed;
}

absl::Status Decide(const CudaSpaceOptions& options, CudaPlan* plan) {
  LaunchesApart chooser;
  for (const Kernel& kernel : plan->scheduled->kernels) {
    TUNE_ASSIGN_OR_RETURN(KernelPlan decided, DecideKernel(kernel, options.device, options.exact, chooser));
    plan->kernels.push_back(std::move(decided));
  }
  return DecideTogether(plan->scheduled->kernels, options.device, chooser, &plan->kernels, &plan->together);
}

}  // namespace

absl::StatusOr<SymbolicPlan> MakeSymbolicPlan(const v1::Scop& scop, const CudaSpaceOptions& options,
                                              int64_t typical, int64_t most) {
  const v1::Scop bounded = WithParametersUpTo(WithLargeParameters(scop, scop.parameters_size()), most);
  TUNE_ASSIGN_OR_RETURN(const auto values, TypicalValues(bounded, typical));
  SymbolicPlan made;
  const InnerReductions reductions =
      options.exact ? InnerReductions::kInKernels : InnerReductions::kAreKernels;
  TUNE_ASSIGN_OR_RETURN(made.schedules,
                        ScheduleSpace::Make(bounded, {}, IslContext::Limits(), reductions,
                                            /*has_order=*/false, /*rounding=*/!options.exact));
  LaunchesApart chooser;
  made.plan.schedules = made.schedules.get();
  TUNE_ASSIGN_OR_RETURN(const auto scheduled, made.schedules->Walk(chooser, options.level));
  IslContext& context = made.schedules->context();
  TUNE_RETURN_IF_ERROR(context.Run("typical loops", [&]() -> absl::Status {
    made.plan.scheduled = WithTripCounts(*scheduled, ParameterValues(context, values));
    return absl::OkStatus();
  }));
  TUNE_RETURN_IF_ERROR(Decide(options, &made.plan));
  return made;
}

}  // namespace tune
