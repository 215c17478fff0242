#include "common/schedule/loop_nest.h"

#include <algorithm>

#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

// Below `leaf`; returns the node in its place.
isl::schedule_node InsertNest(const isl::schedule_node& leaf, const LoopNest& nest);

isl::schedule_node InsertBand(const isl::schedule_node& leaf, const LoopBand& band) {
  isl::multi_union_pw_aff times(band.rows.front().Member());
  for (size_t i = 1; i < band.rows.size(); ++i)
    times = times.flat_range_product(isl::multi_union_pw_aff(band.rows[i].Member()));
  isl::schedule_node_band node = leaf.insert_partial_schedule(times).as<isl::schedule_node_band>();
  node = node.set_permutable(1);
  for (size_t i = 0; i < band.rows.size(); ++i)
    node = node.member_set_coincident(static_cast<int>(i), band.coincident[i] ? 1 : 0);
  return node;
}

isl::schedule_node InsertChildren(const isl::schedule_node& leaf, const std::vector<LoopNest>& nests,
                                  bool ordered) {
  const isl::union_set domain = NodeDomain(leaf);
  isl::union_set_list filters(leaf.ctx(), static_cast<int>(nests.size()));
  for (const LoopNest& nest : nests) {
    isl::union_set filter = isl::union_set::empty(leaf.ctx());
    domain.universe().foreach_set([&](const isl::set& statement) {
      const std::string name = TupleName(statement);
      if (std::count(nest.statements.begin(), nest.statements.end(), name) > 0)
        filter = filter.unite(isl::union_set(statement));
    });
    filters = filters.add(filter);
  }
  isl::schedule_node node = ordered ? leaf.insert_sequence(filters) : leaf.insert_set(filters);
  for (size_t i = 0; i < nests.size(); ++i)
    node = InsertNest(node.child(static_cast<int>(i)).child(0), nests[i]).ancestor(2);
  return node;
}

isl::schedule_node InsertNest(const isl::schedule_node& leaf, const LoopNest& nest) {
  isl::schedule_node node = leaf;
  for (const LoopBand& band : nest.bands) node = InsertBand(node, band).child(0);
  if (!nest.children.empty()) node = InsertChildren(node, nest.children, nest.ordered);
  return node.ancestor(static_cast<int>(nest.bands.size()));
}

}  // namespace

isl::schedule BuildSchedule(const isl::union_set& domain, const LoopNest& nest) {
  const isl::schedule empty = isl::schedule::from_domain(domain);
  return InsertNest(empty.root().child(0), nest).schedule();
}

}  // namespace tune
