#include "common/transform/boundary_tiles/full_blocks.h"

#include "common/mapping/instance_function.h"

namespace tune {

std::optional<BlockParts> FullAndPartialBlocks(const BlockOfKernel& block, const BlockInstances& instances) {
  const KernelPlan& plan = *block.plan;
  const isl::set points = isl::manage(isl_set_from_union_set(instances.mapped.range().release()));  // { [m] }
  isl::set box = isl::manage(isl_set_universe(isl_set_get_space(points.get())));
  for (size_t i = 0; i < plan.threads.axes.size(); ++i) {
    const size_t axis = plan.threads.axes.size() - 1 - i;
    const std::string text = absl::StrCat(block.block_id, axis);
    isl_local_space* const space = isl_local_space_from_space(isl_set_get_space(box.get()));
    const isl::pw_aff value =
        isl::pw_aff(isl::manage(isl_aff_var_on_domain(space, isl_dim_set, static_cast<int>(i))));
    box = box.intersect(isl::manage(isl_set_from_union_set(
        WhereEqual(FloorDiv(isl::union_pw_aff(value), plan.threads.axes[i].tile), text).release())));
  }
  const isl::set partial = box.intersect_params(block.context).subtract(points).params().coalesce();
  const auto runs = [&](const isl::set& blocks) { return !block.domain.intersect_params(blocks).is_empty(); };
  if (!runs(partial)) return std::nullopt;
  const isl::set full = block.context.subtract(partial).coalesce();
  if (!runs(full)) return std::nullopt;
  return BlockParts{full.gist(block.context), partial.gist(block.context)};
}

}  // namespace tune
