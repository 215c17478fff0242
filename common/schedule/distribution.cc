#include "common/schedule/distribution.h"

#include <string>
#include <vector>

#include "common/isl/schedule.h"
#include "common/isl/schedule_part.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/original_schedule.h"
#include "common/schedule/scheduler.h"
#include "common/schedule/statement_graph.h"

namespace tune {
namespace {

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
  for (const size_t component : graph.Order()) {
    const isl::union_set own = InstancesOf(graph.components()[component], instances);
    if (own.is_empty()) continue;
    isl::schedule part = SchedulePart(original, own);
    whole = whole.is_null() ? part : ScheduleSequence(whole, part);
  }
  if (whole.is_null()) return isl::schedule::from_domain(instances);
  return WithJoinedBands(whole, dependences.validity());
}

}  // namespace tune
