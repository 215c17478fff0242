#include "worker/check/barrier.h"

#include <algorithm>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "worker/check/tile_copy.h"

namespace tune {
namespace {

// Whether what the threads of the block wrote before is seen by all of them after.
bool OrdersMemory(const CopyStatement* copy) {
  return copy != nullptr && copy->kind == CopyStatement::Kind::kFillShared;
}

// Whether threads wait there for each other.
bool IsCollective(const CopyStatement* copy) {
  return OrdersMemory(copy) || (copy != nullptr && copy->kind == CopyStatement::Kind::kCombine);
}

// Whether it matters to { X } which thread of the block looks; `context`: what is true of all coordinates.
bool DependsOnThread(const KernelPlacement& placement, const isl::union_set& instances,
                     const isl::set& context) {
  bool depends = false;
  instances.gist_params(context).foreach_set([&](const isl::set& set) {
    for (const std::string& name : placement.ThreadNames()) {
      const int position = FindDimension(set, isl_dim_param, name);
      depends = depends || (position >= 0 && Involves(set, isl_dim_param, position, 1));
    }
  });
  return depends;
}

}  // namespace

isl::union_map WithoutBarrier(const KernelPlacement& placement, const isl::union_map& pairs) {
  if (pairs.is_empty()) return pairs;
  const size_t length = LongestPath(placement.leaves);
  // Parameters left: those of the block, which barrier and pair have in common.
  isl::union_map instances = isl::union_map::empty(pairs.ctx());  // { S -> [time] }
  isl::union_map barriers = instances;                            // { Copy -> [time] }
  const std::vector<std::string> threads = placement.ThreadNames();
  for (const TreeLeaf& leaf : placement.leaves) {
    isl::union_map& found = OrdersMemory(CopyAt(placement, leaf)) ? barriers : instances;
    found = found.unite(ProjectOut(TimesOf(leaf.schedule, leaf.path, length).wrap(), threads).unwrap());
  }
  const isl::union_map sources = instances.intersect_domain(pairs.domain());
  const isl::union_map sinks = instances.intersect_domain(pairs.range());
  // { S -> Copy }: S before the barrier; { Copy -> S' }: S' after it
  const isl::union_map before = LexLess(sources, barriers);
  const isl::union_map after = LexLess(barriers, sinks);
  return pairs.subtract(pairs.intersect(before.apply_range(after)).project_out_all_params());
}

absl::Status CheckBarriers(const KernelPlacement& placement) {
  const isl::set context = placement.kernel->context;
  for (const TreeLeaf& leaf : placement.leaves) {
    if (!IsCollective(CopyAt(placement, leaf))) continue;
    const auto error = [&](const isl::union_set& example, const char* why) {
      return absl::FailedPreconditionError(absl::StrCat("kernel ", placement.name(),
                                                        ": not all threads of a block reach the barrier of ",
                                                        Example(example), ", ", why));
    };
    if (DependsOnThread(placement, leaf.instances(), context)) {
      const isl::union_set executed = leaf.instances().intersect_params(context);
      const isl::union_set by_some = ProjectOut(executed, placement.ThreadNames()).intersect_params(context);
      const isl::union_set missed = by_some.subtract(executed);
      if (!missed.is_empty()) return error(missed, "whose condition depends on the thread");
    }
    // The loops around it run where instances of the scop are below them.
    if (!leaf.around || !DependsOnThread(placement, leaf.around->range(), context)) continue;
    const isl::union_set own = leaf.around->range().intersect_params(context);  // { [p] } of a thread
    const isl::union_set of_block = ProjectOut(own, placement.ThreadNames()).intersect_params(context);
    const int outer = static_cast<int>(Dimensions(leaf.around->map_list().at(0), isl_dim_out));
    const isl::union_map skipped =
        OuterMembers(leaf.schedule.intersect_params(context), outer)  // Copy -> [p]
            .intersect_range(of_block)
            .subtract_range(own);
    if (!skipped.is_empty()) return error(skipped.domain(), "whose loops depend on the thread");
  }
  return absl::OkStatus();
}

}  // namespace tune
