#include "common/transform/split_sums/split_sums.h"

#include "common/decision/simple_choices.h"
#include "common/schedule/band_order.h"
#include "common/schedule/member_unskewing.h"
#include "common/schedule/scheduler.h"
#include "common/transform/split_sums/part_count.h"
#include "common/transform/split_sums/split_scop.h"

namespace tune {
namespace {

// What may be a sum of many terms in two loops.
bool MayHaveNests(const ParsedScop& scop) {
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.proto->update() == v1::ADD && statement.proto->iterators_size() >= 3) return true;
  }
  return false;
}

class SplitSumsTransformation : public ScopTransformation {
  const char* name() const override { return "split_sums"; }
  bool HasOrder() const override { return true; }
  bool ReordersSums() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(IslContext& context, const ParsedScop& scop,
                                               const Dependences& dependences,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits& limits) const override {
    if (!MayHaveNests(scop)) return std::nullopt;
    absl::StatusOr<isl::schedule> schedule = ComputeSchedule(context, scop, dependences, {});
    if (!schedule.ok()) return std::nullopt;
    TUNE_ASSIGN_OR_RETURN(schedule, UnskewMembers(context, *schedule));
    TUNE_ASSIGN_OR_RETURN(schedule, OrderBandMembers(context, *schedule, scop));
    TUNE_ASSIGN_OR_RETURN(
        const std::shared_ptr<const ScheduledScop> scheduled,
        SelectKernels(context, *schedule, scop, dependences, values, InnerReductions::kAreKernels));
    isl::set known;
    const auto choose = [&]() -> absl::StatusOr<std::vector<SplitNest>> {
      known = ParameterValues(context, values);
      std::vector<SplitNest> split;
      for (const SumNest& nest : FindSumNests(*scheduled, scop, known)) {
        const v1::ElementType type = scop.array(scop.statement(nest.sum).target().array).element_type();
        const int parts = ChoosePartCount(nest, type, limits.device);
        if (parts > 1) split.push_back({nest, parts});
      }
      return split;
    };
    TUNE_ASSIGN_OR_RETURN(const std::vector<SplitNest> split, context.Run("looking for sums", choose));
    if (split.empty()) return std::nullopt;
    auto made = SplitScop(context, scop, *schedule, split, known, limits.most_bytes);
    if (absl::IsFailedPrecondition(made.status())) return std::nullopt;
    return made;
  }

  absl::StatusOr<bool> Decide(Chooser& chooser) const override {
    return ChooseSwitch(chooser, "split_sums", true);
  }
};

}  // namespace

const ScopTransformation& SplitSums() {
  static const SplitSumsTransformation transformation;
  return transformation;
}

}  // namespace tune
