#include "common/dependence/common_loops.h"

#include "common/isl/relations.h"

namespace tune {
namespace {

// Whether some pair has its instances in different iterations. Subtracting those in the same one would say
// so, too, and takes much longer where subscripts have divisions.
bool IsCarriedBy(const isl::union_map& pairs, const isl::multi_union_pw_aff& loop) {
  return !LexLessAt(pairs, loop).is_empty() || !LexLessAt(pairs.reverse(), loop).is_empty();
}

}  // namespace

std::vector<isl::multi_union_pw_aff> CommonLoops(const isl::schedule& schedule,
                                                 const isl::union_set& instances) {
  std::vector<isl::multi_union_pw_aff> loops;
  isl::schedule_node node = schedule.root();
  while (node.has_children()) {
    if (node.isa<isl::schedule_node_band>()) {
      const auto band = node.as<isl::schedule_node_band>();
      const isl::multi_union_pw_aff partial = band.partial_schedule();  // S -> [t0, t1, ...]
      for (unsigned i = 0; i < band.n_member(); ++i) {
        loops.push_back(isl::multi_union_pw_aff(partial.at(static_cast<int>(i))).intersect_domain(instances));
      }
    }
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
  return loops;
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
