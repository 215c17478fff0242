#include "common/isl/schedule_part.h"

#include "common/isl/schedule.h"

namespace tune {

isl::schedule SchedulePart(const isl::schedule_node& node, const isl::union_set& domain,
                           const OtherPart& other, SetParts sets) {
  if (node.isa<isl::schedule_node_leaf>()) return isl::schedule::from_domain(domain);
  if (node.isa<isl::schedule_node_band>()) {
    if (const std::optional<isl::schedule> part = other ? other(domain) : std::nullopt) return *part;
    const isl::multi_union_pw_aff members =
        node.as<isl::schedule_node_band>().partial_schedule().intersect_domain(domain);
    return InsertPartialSchedule(SchedulePart(node.child(0), domain, other, sets), members);
  }
  const bool is_set = node.isa<isl::schedule_node_set>();
  if (!is_set && !node.isa<isl::schedule_node_sequence>())
    return SchedulePart(node.child(0), domain, other, sets);
  isl::schedule whole;
  for (unsigned i = 0; i < node.n_children(); ++i) {
    const isl::schedule_node filter = node.child(static_cast<int>(i));
    const isl::union_set own = domain.intersect(filter.as<isl::schedule_node_filter>().filter());
    if (own.is_empty()) continue;
    isl::schedule part = SchedulePart(filter.child(0), own, other, sets);
    if (whole.is_null()) {
      whole = part;
    } else {
      const bool stays = is_set && sets == SetParts::kStay;
      whole = stays ? ScheduleSet(whole, part) : ScheduleSequence(whole, part);
    }
  }
  return whole.is_null() ? isl::schedule::from_domain(domain) : whole;
}

}  // namespace tune
