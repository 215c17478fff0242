#include "common/schedule/band_order.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule_node.h"
#include "common/isl/spaces.h"

namespace tune {
namespace {

constexpr int kStridedCost = 4;        // another cache line, no vector load
constexpr int kNearCost = 2;           // mostly the same cache line, no vector load
constexpr int kMostNear = 8;           // elements
constexpr int kSameStoreCost = 2;      // a reduction: iterations wait for each other
constexpr int kNotCoincidentCost = 1;  // cannot be vectorised

bool HasBandBelow(const isl::schedule_node& node) {
  for (unsigned i = 0; i < node.n_children(); ++i) {
    const isl::schedule_node child = node.child(static_cast<int>(i));
    if (child.isa<isl::schedule_node_band>() || HasBandBelow(child)) return true;
  }
  return false;
}

// { [t0, ..] -> [t0, .., t_position + 1, ..] }
isl::map NextIteration(isl::ctx ctx, int dimensions, int position) {
  const isl::multi_aff next = isl::multi_aff::identity_on_domain(SetSpace(ctx, 0, dimensions));
  return next.set_at(position, next.at(position).add_constant(1)).as_map();
}

// Cost of one access when the loop of `next`, { T -> T }, is innermost. `elements` is { T -> A }.
int AccessCost(const isl::map& elements, const isl::map& next, bool writes) {
  const isl::map moves = elements.reverse().apply_range(next.apply_range(elements));  // A -> A
  const isl::set strides = moves.deltas();
  if (strides.is_empty()) return 0;  // the loop does not repeat this access
  const int last = Dimensions(strides, isl_dim_set) - 1;
  if (last < 0) return writes ? kSameStoreCost : 0;
  isl::set in_row = isl::set::universe(strides.space());
  for (int i = 0; i < last; ++i) in_row = Fix(in_row, isl_dim_set, i, 0);
  const isl::set row = in_row;
  // Every stride is along the row, of `least` to `most` elements.
  const auto are_between = [&](int least, int most) {
    const isl::set bounded = LowerBound(row, isl_dim_set, last, least);
    return strides.is_subset(UpperBound(bounded, isl_dim_set, last, most));
  };
  if (are_between(0, 0)) return writes ? kSameStoreCost : 0;
  if (are_between(1, 1)) return 0;
  return are_between(-kMostNear, kMostNear) ? kNearCost : kStridedCost;
}

// What a member costs as the innermost one. Among equal ones that is better which has fewer stores to other
// rows: a line of memory that is written in parts is moved several times.
struct MemberCost {
  int all = 0, strided_stores = 0;
  bool operator<(const MemberCost& other) const {
    return std::tie(all, strided_stores) < std::tie(other.all, other.strided_stores);
  }
};

MemberCost CostOf(const isl::schedule_node_band& band, const isl::union_map& times, int position, int member,
                  const ParsedScop& scop) {
  MemberCost cost;
  cost.all = band.member_get_coincident(member) ? 0 : kNotCoincidentCost;
  times.foreach_map([&](const isl::map& instances) {  // S -> T
    const ParsedStatement& statement = scop.statement(instances.domain_tuple_id().name());
    const int dimensions = static_cast<int>(instances.range_tuple_dim());
    const isl::map next = NextIteration(scop.context.ctx().get(), dimensions, position);
    for (const ParsedAccess& access : statement.accesses) {
      const int of_access =
          AccessCost(instances.reverse().apply_range(access.relation), next, access.writes());
      cost.all += of_access;
      cost.strided_stores += access.writes() && of_access == kStridedCost ? 1 : 0;
    }
  });
  return cost;
}

// { S -> [P, members] }: when instances run, down to this band.
isl::union_map TimesOf(const isl::schedule_node_band& band) {
  const isl::union_set domain = NodeDomain(band);
  const isl::union_map prefix = band.prefix_schedule_union_map();  // S -> P
  const isl::union_map own = isl::union_map::from(band.partial_schedule());
  return FlatRangeProduct(prefix, own).intersect_domain(domain);
}

int StridedAccessesOf(const isl::schedule_node_band& band, const ParsedScop& scop) {
  const int position = ScheduleDepth(band) + static_cast<int>(band.n_member()) - 1;
  int count = 0;
  TimesOf(band).foreach_map([&](const isl::map& instances) {  // S -> T
    const ParsedStatement& statement = scop.statement(instances.domain_tuple_id().name());
    const int dimensions = static_cast<int>(instances.range_tuple_dim());
    const isl::map next = NextIteration(scop.context.ctx().get(), dimensions, position);
    for (const ParsedAccess& access : statement.accesses) {
      const isl::map elements = instances.reverse().apply_range(access.relation);
      count += AccessCost(elements, next, access.writes()) == kStridedCost ? 1 : 0;
    }
  });
  return count;
}

int BestInnermost(const isl::schedule_node_band& band, const ParsedScop& scop) {
  const int count = static_cast<int>(band.n_member());
  const isl::union_map times = TimesOf(band);
  const auto cost = [&](int member) {
    return CostOf(band, times, ScheduleDepth(band) + member, member, scop);
  };
  int best = count - 1;
  MemberCost least = cost(best);
  for (int member = count - 2; member >= 0; --member) {
    const MemberCost of_member = cost(member);
    if (!(of_member < least)) continue;
    best = member;
    least = of_member;
  }
  return best;
}

isl::schedule_node MoveInnermost(const isl::schedule_node_band& band, int member) {
  const int count = static_cast<int>(band.n_member());
  std::vector<int> order;
  for (int i = 0; i < count; ++i) {
    if (i != member) order.push_back(i);
  }
  order.push_back(member);
  const isl::multi_union_pw_aff old_schedule = band.partial_schedule();
  isl::multi_union_pw_aff schedule = old_schedule;
  for (int i = 0; i < count; ++i) schedule = schedule.set_at(i, old_schedule.at(order[i]));
  const isl::schedule_node without = WithoutNode(band);
  isl::schedule_node_band moved = without.insert_partial_schedule(schedule).as<isl::schedule_node_band>();
  moved = moved.set_permutable(1);
  for (int i = 0; i < count; ++i)
    moved = moved.member_set_coincident(i, band.member_get_coincident(order[i]));
  return moved;
}

}  // namespace

std::vector<bool> MembersOfSums(const isl::schedule_node_band& band, const ParsedScop& scop) {
  const isl::union_map times = TimesOf(band);
  int deepest = 0;
  times.foreach_map([&](const isl::map& instances) {
    deepest = std::max(deepest, static_cast<int>(instances.domain_tuple_dim()));
  });
  std::vector<bool> sums(band.n_member(), true);
  times.foreach_map([&](const isl::map& instances) {  // S -> T
    if (static_cast<int>(instances.domain_tuple_dim()) < deepest) return;
    const ParsedStatement& statement = scop.statement(instances.domain_tuple_id().name());
    const isl::map written = instances.reverse().apply_range(statement.target().relation);  // T -> A
    for (size_t member = 0; member < sums.size(); ++member) {
      const isl::map next =
          NextIteration(scop.context.ctx().get(), static_cast<int>(instances.range_tuple_dim()),
                        ScheduleDepth(band) + static_cast<int>(member));
      const isl::map same = written.reverse().apply_range(next.apply_range(written));  // A -> A
      sums[member] = sums[member] && !same.is_empty() && same.is_subset(IdentityMap(same.space()));
    }
  });
  return sums;
}

absl::StatusOr<int> CountStridedAccesses(IslContext& context, const isl::schedule& schedule,
                                         const ParsedScop& scop) {
  return context.Run("looking at accesses", [&]() -> absl::StatusOr<int> {
    int count = 0;
    schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
      if (node.isa<isl::schedule_node_band>() && node.as<isl::schedule_node_band>().n_member() > 0 &&
          !HasBandBelow(node)) {
        count += StridedAccessesOf(node.as<isl::schedule_node_band>(), scop);
      }
      return true;
    });
    return count;
  });
}

absl::StatusOr<isl::schedule> OrderBandMembers(IslContext& context, const isl::schedule& schedule,
                                               const ParsedScop& scop) {
  return context.Run("ordering loops", [&]() -> absl::StatusOr<isl::schedule> {
    const auto order = [&](const isl::schedule_node& node) -> isl::schedule_node {
      if (!node.isa<isl::schedule_node_band>()) return node;
      const auto band = node.as<isl::schedule_node_band>();
      const int count = static_cast<int>(band.n_member());
      if (count < 2 || !band.permutable() || HasBandBelow(node)) return node;
      const int best = BestInnermost(band, scop);
      return best == count - 1 ? node : MoveInnermost(band, best);
    };
    return schedule.root().map_descendant_bottom_up(order).schedule();
  });
}

}  // namespace tune
