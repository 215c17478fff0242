// The loops that one thread runs.
#pragma once

#include "worker/mapping/block_of_kernel.h"
#include "worker/mapping/loop_mark.h"

namespace tune {

// The loop over some of a thread's points, { S -> [w] } in 0 ... count - 1, around `node` with its mark.
// `outside_another`: `node` is such a loop.
isl::schedule_node InsertPointLoop(isl::schedule_node node, const isl::multi_union_pw_aff& points,
                                   int64_t count, bool outside_another);

// Builds them around the subtrees of a kernel. Every function takes a node and returns the one at its place.
class ThreadLoops {
 public:
  explicit ThreadLoops(const BlockOfKernel& block)
      : block_(block), plan_(*block.plan), kernel_(*block.kernel) {}

  // Replaces the root band by loops over the members that are not mapped, around the thread's points, which
  // are unrolled. Where the plan has shared tiles, those loops run within tiles: InsertTiles adds theirs.
  isl::schedule_node PointsInside(const isl::schedule_node& band) const;
  // The same around a node that stands where the root band's child would.
  isl::schedule_node PointsAround(const isl::schedule_node& node) const;
  // The same with the points around; bands below keep their loops.
  isl::schedule_node PointsOutside(const isl::schedule_node& band) const;
  // Loops over tiles of the members that are not mapped. With one such member, its full tiles are kept apart,
  // so that the loop inside them has a constant length.
  isl::schedule_node InsertTiles(isl::schedule_node node) const;
  // Marks the last loop of the innermost bands below `node` for unrolling, of `node` itself only when it is
  // not the root band.
  isl::schedule_node MarkInnermostLoops(isl::schedule_node node, bool is_root) const;

 private:
  LoopMark UnrollMark() const;
  bool SeparatesStatements() const;
  isl::schedule_node InsertMembers(isl::schedule_node node, bool mark, bool tiled) const;
  isl::schedule_node InsertPoints(isl::schedule_node node, bool innermost) const;
  isl::set FullTiles(const isl::schedule_node& tiles, int member) const;

  const BlockOfKernel& block_;
  const KernelPlan& plan_;
  const Kernel& kernel_;
};

}  // namespace tune
