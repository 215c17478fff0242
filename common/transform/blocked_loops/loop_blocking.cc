#include "common/transform/blocked_loops/loop_blocking.h"

#include <utility>

#include "common/isl/schedule_node.h"
#include "common/isl/schedule_part.h"
#include "common/isl/sets.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/legality.h"
#include "common/transform/blocked_loops/block_schedule.h"
#include "common/transform/kill_order.h"

namespace tune {
namespace {

// With one statement at each leaf, in the order of `scop`: isl leaves open which one of independent ones is
// first, and a scop says it.
isl::schedule WithOrderedLeaves(const isl::schedule& schedule, const ParsedScop& scop) {
  const auto order = [&](const isl::schedule_node& node) -> isl::schedule_node {
    if (!node.isa<isl::schedule_node_leaf>()) return node;
    const isl::union_set statements = NodeDomain(node).universe();
    const int count = SetCount(statements);
    if (count < 2) return node;
    isl::union_set_list filters(node.ctx(), count);
    for (const ParsedStatement& statement : scop.statements) {
      const isl::union_set own = statements.intersect(isl::union_set(statement.domain).universe());
      if (!own.is_empty()) filters = filters.add(own);
    }
    return node.insert_sequence(filters);
  };
  return schedule.root().map_descendant_bottom_up(order).schedule();
}

bool HasStatement(const isl::union_set& domain, const SerialLoop& loop) {
  bool has = false;
  domain.foreach_set([&](const isl::set& set) { has = has || loop.times.count(TupleName(set)) > 0; });
  return has;
}

// `trees`: of the loops' blocks, in the scop that was `cut` of the schedule's.
absl::StatusOr<v1::Scop> WithBlocks(IslContext& context, const isl::schedule& schedule,
                                    const std::vector<SerialLoop>& loops,
                                    const std::vector<isl::schedule>& trees, const CutLoops& cut) {
  const auto blocked = [&](const isl::union_set& domain) -> std::optional<isl::schedule> {
    for (size_t i = 0; i < loops.size(); ++i) {
      if (HasStatement(domain, loops[i])) return trees[i];
    }
    return std::nullopt;
  };
  const isl::schedule tree =
      WithOrderedLeaves(SchedulePart(schedule.root().child(0), schedule.domain(), blocked), *cut.scop);
  TUNE_RETURN_IF_ERROR(CheckLegal(context, tree, *cut.scop, cut.dependences));
  v1::Scop result = cut.scop->proto;
  result.set_schedule(IslText(WithKills(tree, *cut.scop)));
  return result;
}

absl::StatusOr<std::optional<v1::Scop>> BlockAtCut(IslContext& context, const isl::schedule& schedule,
                                                   std::vector<SerialLoop> loops, const LoopCut& cut_loops) {
  while (!loops.empty()) {
    TUNE_ASSIGN_OR_RETURN(const std::optional<CutLoops> cut, cut_loops(loops));
    if (!cut) return std::nullopt;
    std::vector<isl::schedule> trees;
    std::vector<SerialLoop> paying;
    for (size_t i = 0; i < loops.size(); ++i) {
      TUNE_ASSIGN_OR_RETURN(
          const std::optional<BlockSchedule> made,
          ScheduleBlocks(context, *cut->scop, cut->dependences, cut->statements[i], cut->bounded));
      if (!made || !made->pays) continue;
      trees.push_back(made->tree);
      paying.push_back(loops[i]);
    }
    if (paying.size() == loops.size()) {
      TUNE_ASSIGN_OR_RETURN(v1::Scop result, WithBlocks(context, schedule, loops, trees, *cut));
      return result;
    }
    loops = std::move(paying);
  }
  return std::nullopt;
}

}  // namespace

bool HasIterations(const SerialLoop& loop, const ParsedScop& scop, const isl::set& values, int64_t least) {
  isl::set times;  // { [t] }
  for (const auto& [name, time] : loop.times) {
    const isl::set own =
        scop.statement(name).domain.intersect_params(values).apply(time.as_map()).project_out_all_params();
    times = times.is_null() ? own : times.unite(own);
  }
  if (times.is_empty()) return false;
  const isl::val length = times.dim_max_val(0).sub(times.dim_min_val(0));
  return !length.is_int() || length.ge(isl::val(times.ctx(), least - 1));
}

absl::StatusOr<std::optional<v1::Scop>> BlockSerialLoops(IslContext& context, const isl::schedule& schedule,
                                                         const std::function<bool(const SerialLoop&)>& accept,
                                                         const LoopCut& cut) {
  std::vector<SerialLoop> loops;
  for (const SerialLoop& loop : FindSerialLoops(schedule)) {
    if (accept(loop)) loops.push_back(loop);
  }
  return BlockAtCut(context, schedule, std::move(loops), cut);
}

}  // namespace tune
