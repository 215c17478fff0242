#include "common/transform/expansion/expanded_arrays.h"

#include <algorithm>

#include "common/decision/simple_choices.h"
#include "common/transform/expansion/expansion.h"

namespace tune {
namespace {

// In `bytes`, where need be along parallel loops alone. Nothing where no such expansion fits.
absl::StatusOr<std::optional<Expandable>> Fitting(IslContext& context, const ParsedScop& scop,
                                                  const Dependences& dependences,
                                                  const std::map<std::string, int64_t>& values,
                                                  const Expandable& largest, int64_t bytes) {
  if (largest.bytes <= bytes) return largest;
  for (const CopiesAlong along : {CopiesAlong::kParallelLoops, CopiesAlong::kParallelNests}) {
    const absl::StatusOr<Expandable> smaller =
        ExpandableAlong(context, scop, dependences, largest.array, along, values);
    if (absl::IsFailedPrecondition(smaller.status())) continue;
    TUNE_RETURN_IF_ERROR(smaller.status());
    if (smaller->bytes <= bytes) return *smaller;
  }
  return std::nullopt;
}

class ExpansionTransformation : public ScopTransformation {
  const char* name() const override { return "expansion"; }

  // Those of all that can be expanded that fit, one after the other.
  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits& limits) const override {
    IslContext& context = analysed.context();
    const ParsedScop& scop = analysed.scop();
    const Dependences& dependences = analysed.dependences();
    TUNE_ASSIGN_OR_RETURN(const std::vector<Expandable> found,
                          FindExpandable(context, scop, dependences, values));
    std::vector<Expandable> chosen;
    int64_t left = limits.most_bytes;
    for (const Expandable& largest : found) {
      TUNE_ASSIGN_OR_RETURN(
          const std::optional<Expandable> fitting,
          Fitting(context, scop, dependences, values, largest, std::min(kLargestExpansion, left)));
      if (!fitting) continue;
      left -= fitting->bytes;
      chosen.push_back(*fitting);
    }
    if (chosen.empty()) return std::nullopt;
    return ExpandArrays(context, scop, dependences, chosen, values);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "expansion", standard);
  }
};

}  // namespace

const ScopTransformation& ExpandedArrays() {
  static const ExpansionTransformation transformation;
  return transformation;
}

}  // namespace tune
