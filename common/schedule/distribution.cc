#include "common/schedule/distribution.h"

#include <string>
#include <vector>

#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/original_schedule.h"
#include "common/schedule/scheduler.h"
#include "common/schedule/statement_graph.h"

namespace tune {
namespace {

// Components so that each comes after those it depends on; of several the first in the program.
std::vector<size_t> InTopologicalOrder(const StatementGraph& graph) {
  const size_t count = graph.components().size();
  std::vector<size_t> order;
  std::vector<bool> placed(count);
  const auto is_ready = [&](size_t component) {
    for (size_t other = 0; other < count; ++other) {
      if (!placed[other] && other != component && graph.Precedes(other, component)) return false;
    }
    return true;
  };
  while (order.size() < count) {
    size_t next = 0;
    while (placed[next] || !is_ready(next)) ++next;
    placed[next] = true;
    order.push_back(next);
  }
  return order;
}

// The part of the tree below `node` that orders the instances in `domain`.
isl::schedule PartOf(const isl::schedule_node& node, const isl::union_set& domain) {
  if (node.isa<isl::schedule_node_leaf>()) return isl::schedule::from_domain(domain);
  if (node.isa<isl::schedule_node_band>()) {
    const isl::multi_union_pw_aff members =
        node.as<isl::schedule_node_band>().partial_schedule().intersect_domain(domain);
    return InsertPartialSchedule(PartOf(node.child(0), domain), members);
  }
  const bool ordered = node.isa<isl::schedule_node_sequence>();
  if (!ordered && !node.isa<isl::schedule_node_set>()) return PartOf(node.child(0), domain);
  isl::schedule whole;
  for (unsigned i = 0; i < node.n_children(); ++i) {
    const isl::schedule_node filter = node.child(static_cast<int>(i));
    const isl::union_set own = domain.intersect(filter.as<isl::schedule_node_filter>().filter());
    if (own.is_empty()) continue;
    isl::schedule part = PartOf(filter.child(0), own);
    if (whole.is_null()) {
      whole = part;
    } else {
      whole = ordered ? ScheduleSequence(whole, part) : ScheduleSet(whole, part);
    }
  }
  return whole.is_null() ? isl::schedule::from_domain(domain) : whole;
}

// { S } of these statements.
isl::union_set InstancesOf(const std::vector<std::string>& statements, const isl::union_set& instances) {
  isl::union_set own = isl::union_set::empty(instances.ctx());
  instances.foreach_set([&](const isl::set& set) {
    for (const std::string& name : statements) {
      if (name == TupleName(set)) own = own.unite(isl::union_set(set));
    }
  });
  return own;
}

}  // namespace

isl::schedule DistributedSchedule(IslContext& context, const ParsedScop& scop,
                                  const Dependences& dependences) {
  const isl::union_set instances = AssignedInstances(context, scop);
  std::vector<std::string> statements;
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::ASSIGN) statements.push_back(statement.name);
  }
  const StatementGraph graph(statements, dependences.validity());
  const isl::schedule_node original = scop.schedule.root().child(0);
  isl::schedule whole;
  for (const size_t component : InTopologicalOrder(graph)) {
    const isl::union_set own = InstancesOf(graph.components()[component], instances);
    if (own.is_empty()) continue;
    isl::schedule part = PartOf(original, own);
    whole = whole.is_null() ? part : ScheduleSequence(whole, part);
  }
  if (whole.is_null()) return isl::schedule::from_domain(instances);
  return WithJoinedBands(whole, dependences.validity());
}

}  // namespace tune
