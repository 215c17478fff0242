#include "common/transform/pivot_blocks/pivot_blocks.h"

#include "common/decision/simple_choices.h"
#include "common/transform/pivot_blocks/block_pivots.h"
#include "common/transform/substitution/substitute.h"

namespace tune {
namespace {

class PivotBlocksTransformation : public ScopTransformation {
  const char* name() const override { return "pivot_blocks"; }
  bool TakesOriginal() const override { return true; }
  bool HasOrder() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits& limits) const override {
    IslContext& context = analysed.context();
    TUNE_ASSIGN_OR_RETURN(const std::optional<v1::Scop> without_scalars,
                          SubstituteScalars(context, analysed.scop(), analysed.dependences()));
    if (!without_scalars) return BlockPivots(analysed, values, limits.most_bytes);
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed,
                          ParseScop(context, *without_scalars));
    TUNE_ASSIGN_OR_RETURN(const Dependences own, ComputeDependences(context, *parsed));
    AnalysedScop substituted(context, *parsed, own);
    return BlockPivots(substituted, values, limits.most_bytes);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "pivot_blocks", standard);
  }
};

}  // namespace

const ScopTransformation& PivotBlocks() {
  static const PivotBlocksTransformation transformation;
  return transformation;
}

}  // namespace tune
