#include "common/dependence/common_loops.h"

#include <functional>

#include "common/isl/relations.h"
#include "common/isl/schedule_node.h"

namespace tune {
namespace {

// Whether some pair has its instances in different iterations. Subtracting those in the same one would say
// so, too, and takes much longer where subscripts have divisions.
bool IsCarriedBy(const isl::union_map& pairs, const isl::multi_union_pw_aff& loop) {
  return !LexLessAt(pairs, loop).is_empty() || !LexLessAt(pairs.reverse(), loop).is_empty();
}

// Calls visit(band) for those that all of `instances` stand below in one branch, outermost first.
void ForEachBandAround(const isl::schedule& schedule, const isl::union_set& instances,
                       const std::function<void(const isl::schedule_node_band&)>& visit) {
  isl::schedule_node node = schedule.root();
  while (node.has_children()) {
    if (node.isa<isl::schedule_node_band>()) visit(node.as<isl::schedule_node_band>());
    isl::schedule_node below;
    for (unsigned i = 0; i < node.n_children(); ++i) {
      const isl::schedule_node child = node.child(static_cast<int>(i));
      if (child.isa<isl::schedule_node_filter>() &&
          !instances.is_subset(child.as<isl::schedule_node_filter>().filter())) {
        continue;
      }
      below = child;
      break;
    }
    if (below.is_null()) break;
    node = below;
  }
}

}  // namespace

std::vector<isl::multi_union_pw_aff> CommonLoops(const isl::schedule& schedule,
                                                 const isl::union_set& instances) {
  std::vector<isl::multi_union_pw_aff> loops;
  ForEachBandAround(schedule, instances, [&](const isl::schedule_node_band& band) {
    const isl::multi_union_pw_aff partial = band.partial_schedule();  // S -> [t0, t1, ...]
    for (unsigned i = 0; i < band.n_member(); ++i) {
      loops.push_back(isl::multi_union_pw_aff(partial.at(static_cast<int>(i))).intersect_domain(instances));
    }
  });
  return loops;
}

isl::union_set InstancesInside(const isl::schedule& schedule, const isl::union_set& instances, int depth) {
  isl::union_set inside = instances;
  int loops = 0;
  ForEachBandAround(schedule, instances, [&](const isl::schedule_node_band& band) {
    if (loops < depth) inside = NodeDomain(band);
    loops += static_cast<int>(band.n_member());
  });
  return inside;
}

std::vector<bool> Carried(isl::union_map pairs, const std::vector<isl::multi_union_pw_aff>& loops) {
  std::vector<bool> carried;
  for (const isl::multi_union_pw_aff& loop : loops) {
    carried.push_back(IsCarriedBy(pairs, loop));
    pairs = pairs.eq_at(loop);
  }
  return carried;
}

int LoopsAround(const isl::union_map& pairs, const std::vector<isl::multi_union_pw_aff>& loops) {
  int count = 0;
  for (const isl::multi_union_pw_aff& loop : loops) {
    if (IsCarriedBy(pairs, loop)) break;
    ++count;
  }
  return count;
}

}  // namespace tune
