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

}  // namespace

absl::StatusOr<std::shared_ptr<const SymbolicPlans>> SymbolicPlans::Make(const v1::Scop& scop,
                                                                         const CudaSpaceOptions& options,
                                                                         int64_t most) {
  std::shared_ptr<SymbolicPlans> made(new SymbolicPlans(
      WithParametersUpTo(WithLargeParameters(scop, scop.parameters_size()), most), options));
  const InnerReductions reductions =
      options.exact ? InnerReductions::kInKernels : InnerReductions::kAreKernels;
  TUNE_ASSIGN_OR_RETURN(made->schedules_,
                        ScheduleSpace::Make(made->bounded_, {}, IslContext::Limits(), reductions,
                                            /*has_order=*/false, /*rounding=*/!options.exact));
  SymbolicChooser chooser;
  TUNE_ASSIGN_OR_RETURN(made->scheduled_, made->schedules_->Walk(chooser, options.level));
  return made;
}

absl::StatusOr<std::map<std::string, int64_t>> SymbolicPlans::ValuesAbout(int64_t typical) const {
  std::map<std::string, int64_t> values;
  for (const v1::Parameter& parameter : bounded_.parameters()) {
    if (!parameter.factors().empty()) continue;
    TUNE_ASSIGN_OR_RETURN(const bool may_be, ContextAllows(bounded_, {{parameter.name(), typical}}));
    if (may_be) values[parameter.name()] = typical;
  }
  TUNE_RETURN_IF_ERROR(AddProducts(bounded_, &values));
  TUNE_ASSIGN_OR_RETURN(const bool may_be, ContextAllows(bounded_, values));
  if (may_be) return values;
  return absl::InvalidArgumentError(absl::StrCat("parameters cannot all be ", typical));
}

absl::StatusOr<CudaPlan> SymbolicPlans::Decide(int64_t typical, std::string* decisions) const {
  TUNE_ASSIGN_OR_RETURN(const auto values, ValuesAbout(typical));
  CudaPlan plan;
  plan.schedules = schedules_.get();
  TUNE_RETURN_IF_ERROR(context().Run("typical loops", [&]() -> absl::Status {
    plan.scheduled = WithTripCounts(*scheduled_, ParameterValues(context(), values));
    return absl::OkStatus();
  }));
  SymbolicChooser chooser;
  for (const Kernel& kernel : plan.scheduled->kernels) {
    TUNE_ASSIGN_OR_RETURN(KernelPlan decided, DecideKernel(kernel, options_.device, options_.exact, chooser));
    plan.kernels.push_back(std::move(decided));
  }
  TUNE_RETURN_IF_ERROR(
      DecideTogether(plan.scheduled->kernels, options_.device, chooser, &plan.kernels, &plan.together));
  *decisions = chooser.decisions();
  return plan;
}

absl::StatusOr<std::map<std::string, double>> SymbolicPlans::IterationsAbout(int64_t typical) const {
  TUNE_ASSIGN_OR_RETURN(const auto values, ValuesAbout(typical));
  std::map<std::string, double> iterations;
  TUNE_RETURN_IF_ERROR(context().Run("iterations of typical loops", [&]() -> absl::Status {
    const auto counted = WithTripCounts(*scheduled_, ParameterValues(context(), values));
    for (const Kernel& kernel : counted->kernels) {
      double& product = iterations.emplace(kernel.name, 1).first->second;
      if (kernel.bands.empty()) continue;
      for (const int64_t count : kernel.bands[0].trip_counts)
        product *= static_cast<double>(std::max<int64_t>(1, count));
    }
    return absl::OkStatus();
  }));
  return iterations;
}

absl::StatusOr<CudaPlan> SymbolicPlans::PlanAbout(int64_t typical) const {
  std::string decisions;
  return Decide(typical, &decisions);
}

absl::StatusOr<std::string> SymbolicPlans::DecisionsAbout(int64_t typical) const {
  std::string decisions;
  TUNE_RETURN_IF_ERROR(Decide(typical, &decisions).status());
  return decisions;
}

}  // namespace tune
