#include "common/transform/coalesced_loops/coalesced_loops.h"

#include "common/decision/simple_choices.h"
#include "common/transform/coalesced_loops/coalesce_loops.h"

namespace tune {
namespace {

class CoalescedLoopsTransformation : public ScopTransformation {
  const char* name() const override { return "coalesced_loops"; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits&) const override {
    return CoalesceLoops(analysed.context(), analysed.scop(), values);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "coalesced_loops", standard);
  }
};

}  // namespace

const ScopTransformation& CoalescedLoops() {
  static const CoalescedLoopsTransformation transformation;
  return transformation;
}

}  // namespace tune
