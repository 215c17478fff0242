#include "common/schedule/coincidence.h"

#include "common/isl/same_value.h"
#include "common/isl/schedule_node.h"

namespace tune {
namespace {

isl::schedule_node Checked(const isl::schedule_node& node, const isl::union_map& dependences) {
  if (!node.isa<isl::schedule_node_band>()) return node;
  auto band = node.as<isl::schedule_node_band>();
  const isl::union_set domain = NodeDomain(band);
  const isl::union_map prefix = band.prefix_schedule_union_map().intersect_domain(domain);
  const isl::union_map left =
      dependences.intersect_domain(domain).intersect_range(domain).intersect(SameValue(prefix));  // S -> S'
  const isl::multi_union_pw_aff members = band.partial_schedule();
  for (int m = 0; m < static_cast<int>(band.n_member()); ++m) {
    if (!band.member_get_coincident(m)) continue;
    const isl::union_map value = members.at(m).as_union_map();
    if (!left.is_subset(SameValue(value.intersect_domain(domain)))) band = band.member_set_coincident(m, 0);
  }
  return band;
}

}  // namespace

isl::schedule WithCoincidenceOf(const isl::union_map& dependences, const isl::schedule& schedule) {
  const auto checked = [&](const isl::schedule_node& node) { return Checked(node, dependences); };
  return schedule.root().map_descendant_bottom_up(checked).schedule();
}

}  // namespace tune
