#include "common/transform/turned_sums/turn_sums.h"

#include <algorithm>

#include "common/dependence/update_order.h"
#include "common/isl/relations.h"
#include "common/isl/same_value.h"
#include "common/isl/schedule_node.h"
#include "common/transform/instance_times.h"

namespace tune {
namespace {

// A statement that updates elements several times each.
struct RunningSum {
  const ParsedStatement* statement = nullptr;
  isl::union_set instances;  // { S }
  isl::union_map target;     // S -> A
  isl::union_map one;        // { S -> S' }: of one element
  isl::union_map terms;      // { S -> S' }: of these, S before S'
};

bool ReadsItsTarget(const ParsedStatement& statement, const isl::union_map& target) {
  return std::any_of(statement.accesses.begin(), statement.accesses.end(), [&](const ParsedAccess& access) {
    return &access != &statement.target() && !target.intersect(isl::union_map(access.relation)).is_empty();
  });
}

// Nothing where the statement is no sum, or a term is the sum so far.
std::optional<RunningSum> SumOf(const ParsedScop& scop, const ParsedStatement& statement,
                                const isl::union_map& times) {
  if (statement.kind != v1::Statement::ASSIGN || !IsUpdate(scop, statement)) return std::nullopt;
  RunningSum sum;
  sum.statement = &statement;
  sum.instances = isl::union_set(statement.domain.intersect_params(scop.context));
  sum.target = isl::union_map(statement.target().relation).intersect_domain(sum.instances);
  if (ReadsItsTarget(statement, sum.target)) return std::nullopt;
  const isl::union_map own = times.intersect_domain(sum.instances);
  sum.one = sum.target.apply_range(sum.target.reverse());
  sum.terms = sum.one.intersect(LexLess(own, own));
  if (sum.terms.is_empty()) return std::nullopt;
  return sum;
}

bool HasStatement(const isl::union_set& domain, const RunningSum& sum) {
  return !domain.intersect(sum.instances).is_empty();
}

// Whether the band's member tells terms of one element apart.
bool Separates(const isl::multi_union_pw_aff& members, int member, const RunningSum& sum) {
  const isl::multi_union_pw_aff one(members.at(member));
  return !sum.terms.is_subset(sum.terms.eq_at(one));
}

// The band of the only loop that separates the sum's terms, the band's first; nothing where there is none.
std::optional<isl::schedule_node> LoopOf(const isl::schedule& schedule, const RunningSum& sum) {
  std::optional<isl::schedule_node> loop;
  bool only = true;
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>() || !HasStatement(NodeDomain(node), sum)) return true;
    const isl::multi_union_pw_aff members = node.as<isl::schedule_node_band>().partial_schedule();
    for (int m = 0; m < static_cast<int>(members.size()); ++m) {
      if (!Separates(members, m, sum)) continue;
      only = only && m == 0 && !loop;
      loop = node;
    }
    return true;
  });
  return only ? loop : std::nullopt;
}

// The next loop around it; nothing where there is none.
std::optional<isl::schedule_node_band> LoopAround(isl::schedule_node node) {
  while (node.has_parent()) {
    node = node.parent();
    if (node.isa<isl::schedule_node_band>() && node.as<isl::schedule_node_band>().n_member() > 0)
      return node.as<isl::schedule_node_band>();
  }
  return std::nullopt;
}

// Whether what a term needs of the iterations of the loop around the sum's was computed after what all later
// terms need of them.
bool IsAgainstItsOperands(const RunningSum& sum, const isl::schedule_node_band& around,
                          const ParsedScop& scop, const Dependences& dependences,
                          const isl::union_map& times) {
  const isl::union_set inside = NodeDomain(around);
  const isl::union_map same_loop =  // { S -> S' }
      SameValue(around.prefix_schedule_union_map().intersect_domain(inside));
  const isl::union_map of_target = scop.writes.apply_range(sum.target.reverse());  // { P -> S }
  const isl::union_map source =                                                    // { S -> P }
      dependences.flow.intersect_domain(inside)
          .intersect_range(sum.instances)
          .intersect(same_loop)
          .subtract(of_target)
          .reverse();
  isl::union_map sources = sum.terms.apply_domain(source).apply_range(source);  // { P -> P' }
  sources = sources.subtract(sources.domain().identity());
  if (sources.is_empty()) return false;
  const isl::union_map of_sources = times.intersect_domain(sources.domain().unite(sources.range()));
  return sources.reverse().is_subset(LexLess(of_sources, of_sources));
}

// The schedule with the sum's iterations the other way round in the loop that separates its terms.
isl::schedule Turned(const isl::schedule& schedule, const RunningSum& sum) {
  const auto turn = [&](const isl::schedule_node& node) -> isl::schedule_node {
    if (!node.isa<isl::schedule_node_band>() || !HasStatement(NodeDomain(node), sum)) return node;
    const auto band = node.as<isl::schedule_node_band>();
    isl::multi_union_pw_aff members = band.partial_schedule();
    bool changed = false;
    for (int m = 0; m < static_cast<int>(members.size()); ++m) {
      if (!Separates(members, m, sum)) continue;
      const isl::union_set own = sum.statement->domain;
      const isl::union_pw_aff member = members.at(m);
      members =
          members.set_at(m, member.subtract_domain(own).union_add(member.intersect_domain(own).neg().at(0)));
      changed = true;
    }
    return changed ? InsertBandLike(band, members, WithoutNode(band)) : node;
  };
  return schedule.root().map_descendant_bottom_up(turn).schedule();
}

// Whether all instances that touch an element which one of them writes keep their order, but for the terms of
// a sum.
bool KeepsOrder(const RunningSum& sum, const ParsedScop& scop, const isl::union_map& before,
                const isl::union_map& after) {
  const isl::union_map writes = scop.writes.unite(scop.kills), reads = scop.reads;  // { S -> A }
  const isl::union_map all = writes.unite(reads);
  const isl::union_map own_reads = reads.intersect_domain(sum.instances);
  isl::union_map conflicts = sum.target.apply_range(all.reverse());  // { S -> S' }
  conflicts = conflicts.unite(own_reads.apply_range(writes.reverse())).subtract(sum.one);
  conflicts = conflicts.unite(conflicts.reverse());
  const isl::union_set touched = conflicts.domain();
  const isl::union_map old_times = before.intersect_domain(touched),
                       new_times = after.intersect_domain(touched);
  return conflicts.intersect(LexLess(old_times, old_times)).is_subset(LexLess(new_times, new_times));
}

}  // namespace

std::optional<TurnedScop> TurnSums(const ParsedScop& scop, const Dependences& dependences) {
  isl::schedule schedule = scop.schedule;
  isl::union_map times = InstanceTimes(schedule);
  TurnedScop turned{scop.proto, {}};
  for (const ParsedStatement& statement : scop.statements) {
    const std::optional<RunningSum> sum = SumOf(scop, statement, times);
    if (!sum) continue;
    const std::optional<isl::schedule_node> loop = LoopOf(schedule, *sum);
    if (!loop) continue;
    const std::optional<isl::schedule_node_band> around = LoopAround(*loop);
    if (!around || !IsAgainstItsOperands(*sum, *around, scop, dependences, times)) continue;
    const isl::schedule changed = Turned(schedule, *sum);
    const isl::union_map changed_times = InstanceTimes(changed);
    if (!KeepsOrder(*sum, scop, times, changed_times)) continue;
    schedule = changed;
    times = changed_times;
    turned.statements.insert(statement.name);
  }
  if (turned.statements.empty()) return std::nullopt;
  turned.scop.set_schedule(IslText(schedule));
  return turned;
}

}  // namespace tune
