#include "common/schedule/original_schedule.h"

#include "common/isl/relations.h"
#include "common/isl/same_value.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/schedule/coincidence.h"
#include "common/schedule/scheduler.h"

namespace tune {
namespace {

// Whether no member of the two bands, of which `inner` is the child of `outer`, goes back on a dependence
// that the loops outside leave.
bool ArePermutable(const isl::schedule_node_band& outer, const isl::multi_union_pw_aff& inner,
                   const isl::union_map& dependences) {
  const isl::union_set domain = NodeDomain(outer);
  const isl::union_map prefix = outer.prefix_schedule_union_map().intersect_domain(domain);
  const isl::union_map left =
      dependences.intersect_domain(domain).intersect_range(domain).intersect(SameValue(prefix));  // S -> S'
  for (unsigned i = 0; i < inner.size(); ++i) {
    const isl::multi_union_pw_aff member(inner.at(i));
    const isl::union_map back = LexGreaterAt(left, member);
    if (!back.is_empty()) return false;
  }
  return true;
}

// From the leaves up: a band with its child, where they make one permutable band.
isl::schedule_node Joined(const isl::schedule_node& node, const isl::union_map& dependences) {
  if (!node.isa<isl::schedule_node_band>()) return node;
  const auto outer = node.as<isl::schedule_node_band>();
  isl::multi_union_pw_aff members = outer.partial_schedule();
  isl::schedule_node inside = node.child(0);
  if (inside.isa<isl::schedule_node_band>()) {
    const isl::multi_union_pw_aff inner = inside.as<isl::schedule_node_band>().partial_schedule();
    if (ArePermutable(outer, inner, dependences)) {
      members = members.flat_range_product(inner);
      inside = WithoutNode(inside);
    }
  }
  const isl::schedule_node rest = WithoutNode(inside.parent());
  auto band = rest.insert_partial_schedule(members).as<isl::schedule_node_band>().set_permutable(1);
  for (unsigned i = 0; i < members.size(); ++i) band = band.member_set_coincident(static_cast<int>(i), 1);
  return band;
}

}  // namespace

isl::schedule WithJoinedBands(const isl::schedule& schedule, const isl::union_map& order) {
  const auto join = [&](const isl::schedule_node& node) { return Joined(node, order); };
  return WithCoincidenceOf(order, schedule.root().map_descendant_bottom_up(join).schedule());
}

isl::schedule OriginalSchedule(IslContext& context, const ParsedScop& scop, const Dependences& dependences) {
  const isl::schedule original = IntersectDomain(scop.schedule, AssignedInstances(context, scop));
  return WithJoinedBands(original, dependences.validity());
}

}  // namespace tune
