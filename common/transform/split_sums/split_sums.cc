#include "common/transform/split_sums/split_sums.h"

#include "common/decision/simple_choices.h"
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

// A schedule with the nests in it that are worth parts.
struct WorthParts {
  isl::schedule schedule;
  std::vector<SplitNest> nests;
};

absl::StatusOr<WorthParts> FindWorthParts(AnalysedScop& analysed,
                                          const std::map<std::string, int64_t>& values,
                                          const ScheduleOptions& options, const DeviceFacts& device) {
  TUNE_ASSIGN_OR_RETURN(const NestsOfSchedule all, FindNests(analysed, values, values, options));
  WorthParts found = {all.schedule, {}};
  for (const SumNest& nest : all.nests) {
    const v1::ElementType type =
        analysed.scop().array(analysed.scop().statement(nest.sum).target().array).element_type();
    const SumParts parts = ChooseParts(nest, type, device);
    if (parts.AreThere()) found.nests.push_back({nest, parts});
  }
  return found;
}

absl::StatusOr<std::optional<v1::Scop>> Split(AnalysedScop& analysed,
                                              const std::map<std::string, int64_t>& values,
                                              const FormLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(WorthParts found, FindWorthParts(analysed, values, {}, limits.device));
  // Elements that several statements update are nests where the updates count as independent.
  auto counted = FindWorthParts(analysed, values, {.parallel_reductions = true}, limits.device);
  if (counted.ok() && counted->nests.size() > found.nests.size()) found = *std::move(counted);
  if (found.nests.empty()) return std::nullopt;
  isl::set known;
  IslContext& context = analysed.context();
  const auto at_values = [&]() -> absl::StatusOr<isl::set> { return ParameterValues(context, values); };
  TUNE_ASSIGN_OR_RETURN(known, context.Run("looking for sums", at_values));
  return SplitScop(context, analysed.scop(), found.schedule, found.nests, known, limits.most_bytes);
}

class SplitSumsTransformation : public ScopTransformation {
  const char* name() const override { return "split_sums"; }
  bool HasOrder() const override { return true; }
  bool ReordersSums() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits& limits) const override {
    if (!MayHaveNests(analysed.scop())) return std::nullopt;
    auto made = Split(analysed, values, limits);
    // What isl cannot do, or what would be in another order, is done without parts.
    if (absl::IsInternal(made.status()) || absl::IsFailedPrecondition(made.status())) return std::nullopt;
    return made;
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "split_sums", standard);
  }
};

}  // namespace

const ScopTransformation& SplitSums() {
  static const SplitSumsTransformation transformation;
  return transformation;
}

}  // namespace tune
