#include "common/schedule/member_unskewing.h"

#include <functional>
#include <map>

#include "common/isl/bounds.h"
#include "common/isl/schedule_node.h"

namespace tune {
namespace {

// How many iterators the function, { S -> [m] }, takes of the statements with so many: the deepest first, as
// those run most often.
using IteratorCounts = std::map<int, int, std::greater<>>;

IteratorCounts Iterators(const isl::union_pw_aff& function) {
  IteratorCounts iterators;
  const isl::union_map map = function.as_union_map();
  map.foreach_map([&](const isl::map& of_statement) {
    const int dimensions = static_cast<int>(of_statement.domain_tuple_dim());
    int& count = iterators[dimensions];
    for (int i = 0; i < dimensions; ++i) count += Involves(of_statement, isl_dim_in, i, 1) ? 1 : 0;
  });
  return iterators;
}

isl::schedule_node Unskew(const isl::schedule_node& node) {
  if (!node.isa<isl::schedule_node_band>()) return node;
  const auto band = node.as<isl::schedule_node_band>();
  const int count = static_cast<int>(band.n_member());
  if (count < 2 || !band.permutable()) return node;
  isl::multi_union_pw_aff members = band.partial_schedule();
  bool changed = false;
  for (int m = 0; m < count; ++m) {
    for (int other = 0; other < count; ++other) {
      if (other == m || !band.member_get_coincident(other)) continue;
      for (const isl::union_pw_aff& sum :
           {members.at(m).add(members.at(other)), members.at(m).sub(members.at(other))}) {
        if (Iterators(sum) >= Iterators(members.at(m))) continue;
        members = members.set_at(m, sum);
        changed = true;
      }
    }
  }
  if (!changed) return node;
  return InsertBandLike(band, members, WithoutNode(band));
}

}  // namespace

absl::StatusOr<isl::schedule> UnskewMembers(IslContext& context, const isl::schedule& schedule) {
  return context.Run("unskewing loops", [&]() -> absl::StatusOr<isl::schedule> {
    return schedule.root().map_descendant_bottom_up(Unskew).schedule();
  });
}

}  // namespace tune
