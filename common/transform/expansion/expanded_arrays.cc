#include "common/transform/expansion/expanded_arrays.h"

#include <algorithm>

#include "common/decision/simple_choices.h"
#include "common/transform/expansion/expansion.h"

namespace tune {
namespace {

class ExpansionTransformation : public ScopTransformation {
  const char* name() const override { return "expansion"; }

  // Those of all that can be expanded that fit, one after the other.
  absl::StatusOr<std::optional<v1::Scop>> Make(IslContext& context, const ParsedScop& scop,
                                               const Dependences& dependences,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits& limits) const override {
    TUNE_ASSIGN_OR_RETURN(const std::vector<Expandable> found,
                          FindExpandable(context, scop, dependences, values));
    std::vector<Expandable> chosen;
    int64_t left = limits.most_bytes;
    for (const Expandable& expandable : found) {
      if (expandable.bytes > std::min(kLargestExpansion, left)) continue;
      left -= expandable.bytes;
      chosen.push_back(expandable);
    }
    if (chosen.empty()) return std::nullopt;
    return ExpandArrays(context, scop, dependences, chosen, values);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser) const override {
    return ChooseSwitch(chooser, "expansion", true);
  }
};

}  // namespace

const ScopTransformation& ExpandedArrays() {
  static const ExpansionTransformation transformation;
  return transformation;
}

}  // namespace tune
