#include "common/transform/pivot_blocks/pivot_blocks.h"

#include "common/decision/simple_choices.h"
#include "common/transform/pivot_blocks/block_pivots.h"

namespace tune {
namespace {

class PivotBlocksTransformation : public ScopTransformation {
  const char* name() const override { return "pivot_blocks"; }
  bool TakesOriginal() const override { return true; }
  bool HasOrder() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(IslContext& context, const ParsedScop& scop,
                                               const Dependences& dependences,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits& limits) const override {
    return BlockPivots(context, scop, dependences, values, limits.most_bytes);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser) const override {
    return ChooseSwitch(chooser, "pivot_blocks", true);
  }
};

}  // namespace

const ScopTransformation& PivotBlocks() {
  static const PivotBlocksTransformation transformation;
  return transformation;
}

}  // namespace tune
