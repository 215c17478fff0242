#include "common/transform/index_split/index_split.h"

#include "common/transform/index_split/split_plan.h"

namespace tune {

absl::StatusOr<std::optional<v1::Scop>> SplitIndexSets(IslContext& context, const ParsedScop& scop,
                                                       const Dependences& dependences) {
  return context.Run("splitting index sets", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    const std::vector<StatementSplit> splits = PlanSplits(scop, dependences);
    if (splits.empty()) return std::nullopt;
    return SplitStatements(scop, splits);
  });
}

}  // namespace tune
