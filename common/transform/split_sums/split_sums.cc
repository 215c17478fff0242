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

absl::StatusOr<std::optional<v1::Scop>> Split(IslContext& context, const ParsedScop& scop,
                                              const Dependences& dependences,
                                              const std::map<std::string, int64_t>& values,
                                              const FormLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(isl::schedule schedule, ComputeSchedule(context, scop, dependences, {}));
  TUNE_ASSIGN_OR_RETURN(schedule, UnskewMembers(context, schedule));
  TUNE_ASSIGN_OR_RETURN(schedule, OrderBandMembers(context, schedule, scop));
  TUNE_ASSIGN_OR_RETURN(
      const std::shared_ptr<const ScheduledScop> scheduled,
      SelectKernels(context, schedule, scop, dependences, values, InnerReductions::kAreKernels));
  isl::set known;
  const auto choose = [&]() -> absl::StatusOr<std::vector<SplitNest>> {
    known = ParameterValues(context, values);
    std::vector<SplitNest> nests;
    for (const SumNest& nest : FindSumNests(*scheduled, scop, known)) {
      const v1::ElementType type = scop.array(scop.statement(nest.sum).target().array).element_type();
      const int parts = ChoosePartCount(nest, type, limits.device);
      if (parts > 1) nests.push_back({nest, parts});
    }
    return nests;
  };
  TUNE_ASSIGN_OR_RETURN(const std::vector<SplitNest> nests, context.Run("looking for sums", choose));
  if (nests.empty()) return std::nullopt;
  return SplitScop(context, scop, schedule, nests, known, limits.most_bytes);
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
    auto made = Split(context, scop, dependences, values, limits);
    // What isl cannot do, or what would be in another order, is done without parts.
    if (absl::IsInternal(made.status()) || absl::IsFailedPrecondition(made.status())) return std::nullopt;
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
