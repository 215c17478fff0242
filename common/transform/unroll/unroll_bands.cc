#include "common/transform/unroll/unroll_bands.h"

#include "common/mapping/loop_mark.h"
#include "common/mapping/mark_node.h"

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

isl::schedule_node MarkInnermostLoops(isl::schedule_node node, int64_t factor, bool is_root) {
  if (factor <= 1) return node;
  const int children = static_cast<int>(node.n_children());
  bool has_band = false;
  for (int i = 0; i < children; ++i) {
    has_band = has_band || HasBand(node.child(i));
    node = MarkInnermostLoops(node.child(i), factor, false).parent();
  }
  if (is_root || has_band || !node.isa<isl::schedule_node_band>()) return node;
  const int members = static_cast<int>(node.as<isl::schedule_node_band>().n_member());
  if (members == 0) return node;
  if (members > 1) node = node.as<isl::schedule_node_band>().split(members - 1).child(0);
  node = InsertMark(node.child(0), kLoopMarkEnd).parent();
  LoopMark mark;
  mark.unroll = factor;
  node = InsertMark(node, PrintLoopMark(mark));
  return members > 1 ? node.parent() : node;
}

}  // namespace tune
