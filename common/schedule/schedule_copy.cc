#include "common/schedule/schedule_copy.h"

#include "common/isl/schedule_node.h"

namespace tune {
namespace {

isl::schedule_node CopyBandNode(const isl::schedule_node_band& from, const isl::schedule_node& leaf,
                                const RelationChange& change) {
  if (from.n_member() == 0) return CopySubtree(from.child(0), leaf, change);
  const isl::union_set domain = NodeDomain(from);
  const isl::union_map times =
      isl::union_map::from(from.partial_schedule()).intersect_domain(domain.universe());
  const isl::schedule_node inserted = leaf.insert_partial_schedule(change(times).as_multi_union_pw_aff());
  isl::schedule_node_band band = inserted.as<isl::schedule_node_band>();
  band = band.set_permutable(from.permutable());
  for (unsigned i = 0; i < from.n_member(); ++i) {
    const int member = static_cast<int>(i);
    band = band.member_set_coincident(member, from.member_get_coincident(member));
  }
  return CopySubtree(from.child(0), band.child(0), change).parent();
}

}  // namespace

isl::schedule_node CopySubtree(const isl::schedule_node& from, const isl::schedule_node& leaf,
                               const RelationChange& change) {
  if (from.isa<isl::schedule_node_leaf>()) return leaf;
  if (from.isa<isl::schedule_node_band>())
    return CopyBandNode(from.as<isl::schedule_node_band>(), leaf, change);
  const bool ordered = from.isa<isl::schedule_node_sequence>();
  if (!ordered && !from.isa<isl::schedule_node_set>()) {
    isl::exception::throw_invalid("unexpected node in a computed schedule", __FILE__, __LINE__);
  }
  const int count = static_cast<int>(from.n_children());
  isl::union_set_list filters(from.ctx(), count);
  for (int i = 0; i < count; ++i) {
    const isl::union_set filter = from.child(i).as<isl::schedule_node_filter>().filter();
    filters = filters.add(change(isl::union_map::from_domain(filter)).domain());
  }
  isl::schedule_node node = ordered ? leaf.insert_sequence(filters) : leaf.insert_set(filters);
  for (int i = 0; i < count; ++i) {
    node = CopySubtree(from.child(i).child(0), node.child(i).child(0), change).ancestor(2);
  }
  return node;
}

isl::schedule CopySchedule(const isl::schedule& schedule, const isl::union_set& domain,
                           const RelationChange& change) {
  const isl::schedule empty = isl::schedule::from_domain(domain);
  return CopySubtree(schedule.root().child(0), empty.root().child(0), change).schedule();
}

}  // namespace tune
