#include "worker/mapping/thread_loops.h"

#include <utility>

#include "common/isl/schedule_node.h"
#include "common/transform/serial_tiles/serial_tiles.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "common/transform/unroll/unroll.h"
#include "worker/mapping/instance_function.h"
#include "worker/mapping/mark_node.h"

namespace tune {
namespace {

bool HasBand(const isl::schedule_node& node) {
  if (node.isa<isl::schedule_node_band>()) return true;
  for (unsigned i = 0; i < node.n_children(); ++i) {
    if (HasBand(node.child(static_cast<int>(i)))) return true;
  }
  return false;
}

}  // namespace

isl::schedule_node InsertPointLoop(isl::schedule_node node, const isl::multi_union_pw_aff& points,
                                   int64_t count, bool outside_another) {
  LoopMark mark;
  mark.points = count;
  if (!outside_another) node = InsertMark(node, kLoopMarkEnd);
  return InsertMark(node.insert_partial_schedule(points), PrintLoopMark(mark));
}

LoopMark ThreadLoops::UnrollMark() const {
  LoopMark mark;
  mark.unroll = plan_.Get<UnrollFactor>().factor;
  return mark;
}

// Several statements in one loop run in part of its iterations each: conditions would stay in its body.
bool ThreadLoops::SeparatesStatements() const { return kernel_.statements.size() > 1; }

// Loops over the members that are not mapped, in their order; `mark`: the last one is unrolled; `tiled`:
// loops over tiles stand around them.
isl::schedule_node ThreadLoops::InsertMembers(isl::schedule_node node, bool mark, bool tiled) const {
  for (int m = block_.MemberCount() - 1; m >= 0; --m) {
    if (plan_.threads.IsMapped(m)) continue;
    const bool marked = mark && plan_.Get<UnrollFactor>().factor > 1;
    if (marked) node = InsertMark(node, kLoopMarkEnd);
    // Within a tile iterations count from 0, so that subscripts of shared tiles are constants when unrolled.
    const isl::union_pw_aff value =
        tiled ? Modulo(block_.Member(m), plan_.Get<SerialTileSize>().iterations) : block_.Member(m);
    node = node.insert_partial_schedule(isl::multi_union_pw_aff(value));
    if (mark && SeparatesStatements())
      node = node.as<isl::schedule_node_band>().member_set_ast_loop_separate(0);
    if (marked) node = InsertMark(node, PrintLoopMark(UnrollMark()));
    mark = false;
  }
  return node;
}

// Loops over the thread's points, unrolled when they are innermost.
isl::schedule_node ThreadLoops::InsertPoints(isl::schedule_node node, bool innermost) const {
  bool within = false;
  for (size_t i = 0; i < plan_.threads.axes.size(); ++i) {
    const CudaAxis& axis = block_.Axis(i);
    if (!axis.HasPoints()) continue;
    const isl::multi_union_pw_aff points(block_.Point(axis));
    node = innermost ? InsertPointLoop(node, points, axis.tile / axis.block, std::exchange(within, true))
                     : node.insert_partial_schedule(points);
  }
  return node;
}

isl::schedule_node ThreadLoops::PointsInside(const isl::schedule_node& band) const {
  return PointsAround(WithoutNode(band));
}

isl::schedule_node ThreadLoops::PointsAround(const isl::schedule_node& node) const {
  return InsertMembers(InsertPoints(node, /*innermost=*/true), /*mark=*/true,
                       /*tiled=*/plan_.Get<SharedTiles>().on);
}

isl::schedule_node ThreadLoops::PointsOutside(const isl::schedule_node& band) const {
  isl::schedule_node node = MarkInnermostLoops(band, /*is_root=*/true);
  node = WithoutNode(node);
  node = InsertMembers(node, /*mark=*/false, /*tiled=*/false);
  return InsertPoints(node, /*innermost=*/false);
}

isl::schedule_node ThreadLoops::InsertTiles(isl::schedule_node node) const {
  std::vector<int> serial;
  for (int m = 0; m < block_.MemberCount(); ++m) {
    if (!plan_.threads.IsMapped(m)) serial.push_back(m);
  }
  for (auto m = serial.rbegin(); m != serial.rend(); ++m) {
    node = node.insert_partial_schedule(
        isl::multi_union_pw_aff(FloorDiv(block_.Member(*m), plan_.Get<SerialTileSize>().iterations)));
    if (SeparatesStatements()) node = node.as<isl::schedule_node_band>().member_set_ast_loop_separate(0);
  }
  if (serial.size() != 1) return node;
  const isl::union_set isolated = isl::union_set(FullTiles(node, serial[0]));
  const isl::union_set options =
      isl::manage(isl_schedule_node_band_get_ast_build_options(node.get())).unite(isolated);
  return isl::manage(isl_schedule_node_band_set_ast_build_options(node.release(), options.copy()));
}

// { isolate[[p] -> [tile]] }: the tiles of the member, below the prefix of the tiles' band, that every
// statement fills or does not touch.
isl::set ThreadLoops::FullTiles(const isl::schedule_node& tiles, int member) const {
  const isl::map tile(tiles.ctx(),
                      absl::StrCat("{ [m] -> [floor(m/", plan_.Get<SerialTileSize>().iterations, ")] }"));
  const isl::union_map prefix = isl::manage(isl_schedule_node_get_prefix_schedule_union_map(tiles.get()))
                                    .intersect_domain(block_.domain);
  isl::map full, partial;  // { [p] -> [tile] }
  block_.domain.foreach_set([&](const isl::set& statement) {
    if (statement.is_empty()) return;
    const isl::map values =  // { [p] -> [m] }
        prefix.intersect_domain(isl::union_set(statement))
            .reverse()
            .apply_range(block_.Member(member).as_union_map())
            .as_map();
    const isl::map touched = values.apply_range(tile);
    const isl::map rest = touched.apply_range(tile.reverse()).subtract(values).apply_range(tile);
    full = full.is_null() ? touched : full.unite(touched);
    partial = partial.is_null() ? rest : partial.unite(rest);
  });
  return isl::manage(isl_set_set_tuple_name(
      isl_map_wrap(full.subtract(partial).coalesce().gist_params(block_.context).release()), "isolate"));
}

isl::schedule_node ThreadLoops::MarkInnermostLoops(isl::schedule_node node, bool is_root) const {
  if (plan_.Get<UnrollFactor>().factor <= 1) return node;
  const int children = static_cast<int>(node.n_children());
  bool has_band = false;
  for (int i = 0; i < children; ++i) {
    has_band = has_band || HasBand(node.child(i));
    node = MarkInnermostLoops(node.child(i), false).parent();
  }
  if (is_root || has_band || !node.isa<isl::schedule_node_band>()) return node;
  const int members = static_cast<int>(node.as<isl::schedule_node_band>().n_member());
  if (members == 0) return node;
  if (members > 1) node = isl::manage(isl_schedule_node_band_split(node.release(), members - 1)).child(0);
  node = InsertMark(node.child(0), kLoopMarkEnd).parent();
  node = InsertMark(node, PrintLoopMark(UnrollMark()));
  return members > 1 ? node.parent() : node;
}

}  // namespace tune
