#include "common/transform/boundary_tiles/full_blocks.h"

#include "common/isl/functions.h"
#include "common/mapping/instance_function.h"

namespace tune {

std::optional<BlockParts> FullAndPartialBlocks(const BlockOfKernel& block, const BlockInstances& instances) {
  const KernelPlan& plan = *block.plan;
  const isl::set points = instances.mapped.range().as_set();  // { [m] }
  isl::set box = isl::set::universe(points.space());
  for (size_t i = 0; i < plan.threads.axes.size(); ++i) {
    const size_t axis = plan.threads.axes.size() - 1 - i;
    const std::string text = absl::StrCat(block.block_id, axis);
    const isl::pw_aff value = isl::pw_aff(VariableOn(box.space(), i));
    box = box.intersect(
        WhereEqual(FloorDiv(isl::union_pw_aff(value), plan.threads.axes[i].tile), text).as_set());
  }
  const isl::set partial = box.intersect_params(block.context).subtract(points).params().coalesce();
  const auto runs = [&](const isl::set& blocks) { return !block.domain.intersect_params(blocks).is_empty(); };
  if (!runs(partial)) return std::nullopt;
  const isl::set full = block.context.subtract(partial).coalesce();
  if (!runs(full)) return std::nullopt;
  return BlockParts{full.gist(block.context), partial.gist(block.context)};
}

}  // namespace tune
