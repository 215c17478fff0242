#include "worker/check/loop_mark_check.h"

#include "common/isl/bounds.h"
#include "worker/check/placement.h"

namespace tune {

absl::Status CheckLoopMarks(const std::string& tree, const std::vector<TreeLeaf>& leaves,
                            const isl::set& known) {
  for (const TreeLeaf& leaf : leaves) {
    const isl::union_map schedule = leaf.schedule.intersect_params(known);
    for (size_t i = 0; i < leaf.points.size(); ++i) {
      if (leaf.points[i] == 0) continue;
      isl::union_map outside = isl::union_map::empty(schedule.ctx());  // { X -> [p] }
      schedule.foreach_map([&](const isl::map& map) {
        const int end = static_cast<int>(leaf.points[i]);
        const isl::map below = UpperBound(map, isl_dim_out, i, -1);
        const isl::map above = LowerBound(map, isl_dim_out, i, end);
        outside = outside.unite(isl::union_map(below.unite(above)));
      });
      if (outside.is_empty()) continue;
      return absl::FailedPreconditionError(absl::StrCat(tree, ": loop ", i, " has more than the ",
                                                        leaf.points[i],
                                                        " points of its mark: ", Example(outside.wrap())));
    }
  }
  return absl::OkStatus();
}

}  // namespace tune
