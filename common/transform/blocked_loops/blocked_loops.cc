#include "common/transform/blocked_loops/blocked_loops.h"

#include "common/decision/simple_choices.h"
#include "common/transform/blocked_loops/block_loops.h"

namespace tune {
namespace {

class BlockedLoopsTransformation : public ScopTransformation {
  const char* name() const override { return "blocked_loops"; }
  bool HasOrder() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits&) const override {
    return BlockLoops(analysed, values);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "blocked_loops", standard);
  }
};

}  // namespace

const ScopTransformation& BlockedLoops() {
  static const BlockedLoopsTransformation transformation;
  return transformation;
}

}  // namespace tune
