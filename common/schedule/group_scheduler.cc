#include "common/schedule/group_scheduler.h"

#include <algorithm>

#include "common/isl/analysis_limit.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/band_order.h"
#include "common/schedule/member_unskewing.h"
#include "common/schedule/schedule_copy.h"
#include "common/schedule/schedule_problem.h"
#include "common/schedule/statement_graph.h"

namespace tune {
namespace {

constexpr uint64_t kForcedShare = 10;  // of the limit on operations
constexpr int kParallelMembers = 2;    // that matter: the outer two dimensions (Coding Ants, section 5.2)

std::string RowName(size_t index) { return absl::StrCat("row#", index); }  // no C identifier

// { S[x] : row#0 = first row at x and .. }, over universes.
isl::union_set AtUnknownRows(const StatementGroup& group) {
  isl::union_set bound = group.domain().universe();
  for (size_t i = 0; i < group.rows().size(); ++i) {
    // From the text "row#0" isl would only take the identifier "row".
    const isl::id id = NamedId(bound.ctx(), RowName(i));
    bound = bound.intersect(group.rows()[i].Member().bind(id));
  }
  return bound;
}

// Replaces the unknown constants by the rows.
isl::union_map AtRows(const isl::union_map& relation, const isl::union_set& bound, size_t rows) {
  isl::union_map result = relation.intersect_domain(bound);
  for (size_t i = 0; i < rows; ++i) {
    const int position = FindDimension(result, isl_dim_param, RowName(i));
    if (position >= 0) result = ProjectOut(result, isl_dim_param, position, 1);
  }
  return result;
}

// { S[x] -> T[y] : the leading iterators that both have are equal }
isl::map EqualIterators(const isl::set& from, const isl::set& to) {
  const int common = static_cast<int>(std::min(Dimensions(from, isl_dim_set), Dimensions(to, isl_dim_set)));
  isl::map map = MapFromDomainAndRange(from, to);
  for (int i = 0; i < common; ++i) map = Equate(map, isl_dim_in, i, isl_dim_out, i);
  return map;
}

// Pairs of instances of two statements that read one element of the largest array that both read.
isl::union_map CommonReads(const ParsedScop& scop, const isl::set& from, const isl::set& to) {
  const isl::union_map first = scop.reads.intersect_domain(isl::union_set(from));
  const isl::union_map second = scop.reads.intersect_domain(isl::union_set(to));
  isl::union_map best = isl::union_map::empty(from.ctx());
  int rank = 0;
  first.foreach_map([&](const isl::map& reads) {
    const int subscripts = Dimensions(reads, isl_dim_out);
    const isl::union_map pairs = isl::union_map(reads).apply_range(second.reverse());
    if (subscripts <= rank || pairs.is_empty()) return;
    rank = subscripts;
    best = pairs;
  });
  return best;
}

// What brings statements together that no dependence connects: a chain through one of each connected
// component.
isl::union_map Connections(const ParsedScop& scop, const StatementGroup& group) {
  const isl::union_map& dependences = group.dependences();
  const StatementGraph connected(group.statements(), dependences.unite(dependences.reverse()));
  isl::union_map connections = isl::union_map::empty(dependences.ctx());
  for (size_t i = 1; i < connected.components().size(); ++i) {
    const isl::set& before = group.domains().at(connected.components()[i - 1].front());
    const isl::set& after = group.domains().at(connected.components()[i].front());
    const isl::union_map reads = CommonReads(scop, before, after);
    connections = connections.unite(reads.is_empty() ? isl::union_map(EqualIterators(before, after)) : reads);
  }
  return connections;
}

ScheduleProblem ProblemOf(const ParsedScop& scop, const StatementGroup& group, GroupFusion fusion,
                          const isl::union_set& bound) {
  const auto inside = [&](const isl::union_map& pairs) {
    return group.rows().empty() ? pairs : pairs.intersect_domain(bound).intersect_range(bound);
  };
  ScheduleProblem problem;
  problem.context = scop.context;
  problem.domain = group.rows().empty() ? group.domain() : group.domain().intersect(bound);
  problem.validity = inside(group.dependences());
  problem.proximity = inside(group.flow());
  if (fusion == GroupFusion::kByScheduler || group.statements().size() == 1) return problem;
  problem.fuse_components = true;
  problem.proximity = problem.proximity.unite(inside(Connections(scop, group)));
  return problem;
}

// Inside Run: the outermost one's limits count, and are set anew by the next.
void LowerLimit(IslContext& context, GroupFusion fusion) {
  if (fusion == GroupFusion::kByScheduler || context.limits().operations == 0) return;
  context.LowerOperations(context.limits().operations / kForcedShare * AnalysisLimit());
}

}  // namespace

absl::StatusOr<isl::schedule> ScheduleStatementGroup(IslContext& context, const ParsedScop& scop,
                                                     const StatementGroup& group, GroupFusion fusion,
                                                     bool refined) {
  return context.Run("scheduling statements", [&]() -> absl::StatusOr<isl::schedule> {
    LowerLimit(context, fusion);
    const isl::union_set bound = AtUnknownRows(group);
    isl::schedule schedule = SolveSchedule(context, ProblemOf(scop, group, fusion, bound));
    if (refined) {
      TUNE_ASSIGN_OR_RETURN(schedule, UnskewMembers(context, schedule));
      TUNE_ASSIGN_OR_RETURN(schedule, OrderBandMembers(context, schedule, scop));
    }
    if (fusion == GroupFusion::kForced && !schedule.root().child(0).isa<isl::schedule_node_band>()) {
      return absl::FailedPreconditionError(
          absl::StrCat("no loop can hold all of ", JoinStatements(group.statements())));
    }
    if (group.rows().empty()) return schedule;
    return CopySchedule(schedule, group.domain(), [&](const isl::union_map& relation) {
      return AtRows(relation, bound, group.rows().size());
    });
  });
}

int ParallelMembers(const isl::schedule& schedule) {
  const isl::schedule_node node = schedule.root().child(0);
  if (!node.isa<isl::schedule_node_band>()) return 0;
  const auto band = node.as<isl::schedule_node_band>();
  int parallel = 0;
  for (unsigned i = 0; i < band.n_member(); ++i)
    parallel += band.member_get_coincident(static_cast<int>(i)) ? 1 : 0;
  return std::min(parallel, kParallelMembers);
}

}  // namespace tune
