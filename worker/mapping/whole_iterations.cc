#include "worker/mapping/whole_iterations.h"

#include <optional>
#include <vector>

#include "common/isl/relations.h"
#include "common/isl/schedule_node.h"
#include "common/mapping/loop_mark.h"
#include "common/mapping/mark_node.h"

namespace tune {
namespace {

// [P -> m] of each statement below the band.
std::vector<isl::map> Places(const isl::schedule_node_band& band) {
  const isl::union_set domain = NodeDomain(band);  // { S }
  const isl::union_map prefix = band.prefix_schedule_union_map().intersect_domain(domain);
  const isl::union_map member = isl::union_map::from(band.partial_schedule());
  std::vector<isl::map> places;
  domain.foreach_set([&](const isl::set& statement) {
    const isl::union_set instances(statement);
    const isl::union_map place =
        prefix.intersect_domain(instances).reverse().apply_range(member);  // P -> [m]
    place.foreach_map([&](const isl::map& map) { places.push_back(map); });
  });
  return places;
}

// Whether, somewhere, `first` comes in an earlier iteration than `second`.
bool ComesBefore(const isl::map& first, const isl::map& second) {
  const isl::set iterations = first.range();
  const isl::map later = LexLess(iterations.space());  // m -> m', m < m'
  return !first.apply_range(later).is_disjoint(second);
}

// Whether each statement comes, over others, both before and after each other one.
bool AreOneComponent(const std::vector<isl::map>& places) {
  const size_t count = places.size();
  std::vector<std::vector<bool>> before(count, std::vector<bool>(count, false));
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < count; ++j) before[i][j] = i == j || ComesBefore(places[i], places[j]);
  for (size_t k = 0; k < count; ++k)
    for (size_t i = 0; i < count; ++i)
      for (size_t j = 0; j < count; ++j) before[i][j] = before[i][j] || (before[i][k] && before[k][j]);
  for (const std::vector<bool>& reached : before)
    for (const bool one : reached)
      if (!one) return false;
  return true;
}

}  // namespace

isl::schedule KeepIterationsWhole(const isl::schedule& mapped) {
  const auto keep = [](isl::schedule_node node) -> isl::schedule_node {
    if (!node.isa<isl::schedule_node_mark>()) return node;
    std::optional<LoopMark> mark = ParseLoopMark(MarkName(node));
    if (!mark || (mark->local.empty() && mark->last.empty())) return node;
    const auto band = node.child(0).as<isl::schedule_node_band>();
    if (AreOneComponent(Places(band))) return band.member_set_ast_loop_atomic(0).parent();
    mark->parallel = mark->simd = false;
    mark->local.clear();
    mark->last.clear();
    node = WithoutNode(node);
    return mark->empty() ? node : InsertMark(node, PrintLoopMark(*mark));
  };
  return mapped.root().map_descendant_bottom_up(keep).schedule();
}

}  // namespace tune
