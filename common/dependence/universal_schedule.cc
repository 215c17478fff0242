#include "common/dependence/universal_schedule.h"

#include <optional>

#include "common/isl/schedule.h"

namespace tune {
namespace {

// Of the tree at `node`, on the instances that come there; nothing where it has other nodes.
std::optional<isl::schedule> Rebuilt(const isl::schedule_node& node, const isl::union_set& instances) {
  if (node.isa<isl::schedule_node_leaf>()) return isl::schedule::from_domain(instances);
  if (node.isa<isl::schedule_node_filter>())
    return Rebuilt(node.child(0), instances.intersect(node.as<isl::schedule_node_filter>().filter()));
  if (node.isa<isl::schedule_node_mark>()) return Rebuilt(node.child(0), instances);
  if (node.isa<isl::schedule_node_band>()) {
    std::optional<isl::schedule> below = Rebuilt(node.child(0), instances);
    if (below) below = InsertPartialSchedule(*below, node.as<isl::schedule_node_band>().partial_schedule());
    return below;
  }
  const bool in_order = node.isa<isl::schedule_node_sequence>();
  if (!in_order && !node.isa<isl::schedule_node_set>()) return std::nullopt;
  std::optional<isl::schedule> all;
  for (unsigned i = 0; i < node.n_children(); ++i) {
    const std::optional<isl::schedule> part = Rebuilt(node.child(static_cast<int>(i)), instances);
    if (!part) return std::nullopt;
    if (!all) {
      all = part;
    } else {
      all = in_order ? ScheduleSequence(*all, *part) : ScheduleSet(*all, *part);
    }
  }
  return all;
}

}  // namespace

isl::schedule OnAllInstances(const isl::schedule& schedule) {
  return Rebuilt(schedule.root().child(0), schedule.domain().universe()).value_or(schedule);
}

}  // namespace tune
