#include "common/mapping/thread_nest.h"

#include <algorithm>
#include <utility>

#include "common/isl/relations.h"
#include "common/isl/sets.h"
#include "common/isl/tuple_name.h"
#include "common/mapping/instance_function.h"
#include "common/mapping/loop_mark.h"
#include "common/mapping/mark_node.h"

namespace tune {
namespace {

// Several statements in one loop run in part of its iterations each: conditions would stay in its body.
isl::schedule_node SeparateStatements(const isl::schedule_node& band, const BlockOfKernel& block) {
  if (block.kernel->statements.size() < 2) return band;
  return band.as<isl::schedule_node_band>().member_set_ast_loop_separate(0);
}

isl::schedule_node InsertLoop(const isl::schedule_node& node, const ThreadLoop& loop) {
  return node.insert_partial_schedule(isl::multi_union_pw_aff(loop.value));
}

// { [[p] -> [w]] -> [m] }: at which values of the loop's member the statement has an instance, for each
// prefix and each point of its threads.
isl::map IterationsOfPoints(const isl::union_map& prefix, const isl::union_set& statement,
                            const BlockOfKernel& block, const ThreadLoop& loop) {
  isl::union_map points = isl::union_map::from_domain(statement);  // S -> [w]
  for (int m = 0; m < block.MemberCount(); ++m) {
    if (block.plan->threads.IsMapped(m)) points = FlatRangeProduct(points, block.Member(m).as_union_map());
  }
  return prefix.intersect_domain(statement)
      .range_product(points)
      .reverse()
      .apply_range(block.Member(loop.member).as_union_map())
      .as_map();
}

// { isolate[[p] -> [tile]] }: the tiles of the loop, below the prefix of its band, that every statement fills
// for each of its points, or does not touch. In a triangle these are the tiles beside the diagonal.
isl::set FullTiles(const isl::schedule_node& tiles, const BlockOfKernel& block, const ThreadLoop& loop) {
  const isl::map tile(tiles.ctx(), absl::StrCat("{ [m] -> [floor(m/", loop.size, ")] }"));
  const isl::union_map prefix = tiles.prefix_schedule_union_map().intersect_domain(block.domain);
  isl::map full, partial;  // { [p] -> [tile] }
  block.domain.foreach_set([&](const isl::set& statement) {
    if (statement.is_empty()) return;
    const isl::map values =  // { [[p] -> [w]] -> [m] }
        IterationsOfPoints(prefix, isl::union_set(statement), block, loop);
    const isl::map of_point = values.domain().unwrap().domain_map().as_map();  // { [[p] -> [w]] -> [p] }
    const isl::map touched = of_point.reverse().apply_range(values).apply_range(tile);
    const isl::map rest = of_point
                              .apply_range(touched)  // { [[p] -> [w]] -> [tile] }
                              .apply_range(tile.reverse())
                              .subtract(values)
                              .apply_range(tile);
    const isl::map missed = of_point.reverse().apply_range(rest);  // { [p] -> [tile] }
    full = full.is_null() ? touched : full.unite(touched);
    partial = partial.is_null() ? missed : partial.unite(missed);
  });
  const isl::set kept = full.subtract(partial).coalesce().wrap();
  const isl::set whole = InOnePiece(kept.intersect_params(block.context));
  return WithTupleName(whole.gist_params(block.context), "isolate");
}

}  // namespace

ThreadNest SerialLoops(const BlockOfKernel& block) {
  ThreadNest nest;
  for (int m = 0; m < block.MemberCount(); ++m) {
    if (block.plan->threads.IsMapped(m)) continue;
    const int64_t piece = block.plan->threads.PieceOfReduction(m);
    nest.serial.push_back({m, piece > 1 ? FloorDiv(block.Member(m), piece) : block.Member(m)});
  }
  const std::vector<bool>& sums = block.kernel->bands[0].sums;
  if (!sums.empty()) {
    std::stable_partition(nest.serial.begin(), nest.serial.end(),
                          [&](const ThreadLoop& loop) { return !sums[loop.member]; });
  }
  return nest;
}

isl::schedule_node InsertPointLoop(isl::schedule_node node, const isl::multi_union_pw_aff& points,
                                   int64_t count, bool outside_another) {
  LoopMark mark;
  mark.points = count;
  if (!outside_another) node = InsertMark(node, kLoopMarkEnd);
  return InsertMark(node.insert_partial_schedule(points), PrintLoopMark(mark));
}

isl::schedule_node InsertLoops(isl::schedule_node node, const BlockOfKernel& block, const ThreadNest& nest) {
  bool within = false;
  for (auto loop = nest.points.rbegin(); loop != nest.points.rend(); ++loop)
    node =
        InsertPointLoop(node, isl::multi_union_pw_aff(loop->value), loop->size, std::exchange(within, true));
  bool innermost = true;
  for (auto loop = nest.serial.rbegin(); loop != nest.serial.rend(); ++loop) {
    LoopMark mark;
    mark.unroll = loop->unroll;
    if (!mark.empty()) node = InsertMark(node, kLoopMarkEnd);
    node = InsertLoop(node, *loop);
    if (std::exchange(innermost, false)) node = SeparateStatements(node, block);
    if (!mark.empty()) node = InsertMark(node, PrintLoopMark(mark));
  }
  return node;
}

isl::schedule_node InsertLoopsInPoints(isl::schedule_node node, const ThreadNest& nest) {
  for (const std::vector<ThreadLoop>* loops : {&nest.serial, &nest.points}) {
    for (auto loop = loops->rbegin(); loop != loops->rend(); ++loop) node = InsertLoop(node, *loop);
  }
  return node;
}

isl::schedule_node InsertTileLoops(isl::schedule_node node, const BlockOfKernel& block,
                                   const ThreadNest& nest) {
  for (auto loop = nest.tiles.rbegin(); loop != nest.tiles.rend(); ++loop)
    node = SeparateStatements(InsertLoop(node, *loop), block);
  if (nest.tiles.size() != 1) return node;
  const isl::union_set isolated = isl::union_set(FullTiles(node, block, nest.tiles[0]));
  const auto band = node.as<isl::schedule_node_band>();
  return band.set_ast_build_options(band.ast_build_options().unite(isolated));
}

}  // namespace tune
