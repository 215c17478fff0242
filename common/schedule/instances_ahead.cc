#include "common/schedule/instances_ahead.h"

#include <vector>

#include "common/isl/dimensions.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"

namespace tune {
namespace {

// Whether all statements have one instance at most.
bool AreSingle(const isl::union_set& instances) {
  bool single = true;
  instances.foreach_set([&](const isl::set& set) { single = single && Dimensions(set, isl_dim_set) == 0; });
  return single;
}

// The parts of the outermost sequence, { S } each; none where there is no sequence.
std::vector<isl::union_set> PartsOf(const isl::schedule& schedule) {
  const isl::schedule_node node = schedule.root().child(0);
  std::vector<isl::union_set> parts;
  if (!node.isa<isl::schedule_node_sequence>()) return parts;
  for (unsigned i = 0; i < node.n_children(); ++i)
    parts.push_back(NodeDomain(node.child(static_cast<int>(i)).child(0)));
  return parts;
}

isl::union_set Union(const std::vector<isl::union_set>& parts, isl::ctx ctx) {
  isl::union_set all = isl::union_set::empty(ctx);
  for (const isl::union_set& part : parts) all = all.unite(part);
  return all;
}

// The instances of the parts, one part after the other, and then the rest in its order.
isl::schedule WithAhead(const isl::schedule& schedule, const std::vector<isl::union_set>& ahead,
                        const isl::union_set& rest) {
  const isl::schedule first = isl::schedule::from_domain(Union(ahead, rest.ctx()));
  const isl::schedule both = ScheduleSequence(first, IntersectDomain(schedule, rest));
  if (ahead.size() == 1) return both;
  isl::union_set_list filters(rest.ctx(), static_cast<int>(ahead.size()));
  for (const isl::union_set& part : ahead) filters = filters.add(part);
  return both.root().child(0).child(0).child(0).insert_sequence(filters).schedule();
}

isl::schedule Ahead(const isl::schedule& schedule, const Dependences& dependences) {
  const isl::union_map order = dependences.validity();  // { S -> S' }
  std::vector<isl::union_set> ahead, rest;
  for (const isl::union_set& part : PartsOf(schedule)) {
    const bool waits = !order.intersect_domain(Union(rest, schedule.ctx())).intersect_range(part).is_empty();
    (AreSingle(part) && !waits ? ahead : rest).push_back(part);
  }
  if (ahead.empty() || rest.empty()) return schedule;
  return WithAhead(schedule, ahead, Union(rest, schedule.ctx()));
}

}  // namespace

absl::StatusOr<isl::schedule> SingleInstancesAhead(IslContext& context, const isl::schedule& schedule,
                                                   const Dependences& dependences) {
  return context.Run("putting statements before loops",
                     [&]() -> absl::StatusOr<isl::schedule> { return Ahead(schedule, dependences); });
}

}  // namespace tune
